#include <assert.h>
#include <string.h>

int main(void) {
  int left[] = {1, 4, 9};
  int right[] = {2, 4};
  int merged[5];
  int wanted[] = {1, 2, 4, 4, 9};
  assert(merge_sorted(left, 3, right, 2, merged) == 5);
  assert(memcmp(merged, wanted, sizeof wanted) == 0);
  return 0;
}
