#include <assert.h>

int main(void) {
  int items[] = {3, 1, 2};
  int falling[] = {4, 3, 2, 1};
  assert(count_inversions(items, 3) == 2);
  assert(count_inversions(falling, 4) == 6);
  return 0;
}
