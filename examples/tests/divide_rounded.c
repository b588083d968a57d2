#include <assert.h>

int main(void) {
  assert(divide_rounded(7, 2) == 4);
  assert(divide_rounded(-7, 2) == -4);
  assert(divide_rounded(7, 3) == 2);
  assert(divide_rounded(5, 0) == 0);
  return 0;
}
