#include <assert.h>

int main(void) {
  assert(median_of_three(1, 2, 3) == 2);
  assert(median_of_three(3, 1, 2) == 2);
  assert(median_of_three(2, 3, 1) == 2);
  assert(median_of_three(5, 5, 9) == 5);
  return 0;
}
