#include <assert.h>
#include <string.h>

int main(void) {
  int items[] = {5, -1, 9, 4, 4, 0};
  int wanted[] = {-1, 0, 4, 4, 5, 9};
  quick_sort(items, 0, 5);
  assert(memcmp(items, wanted, sizeof wanted) == 0);
  return 0;
}
