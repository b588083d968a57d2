#include <assert.h>
#include <string.h>

int main(void) {
  int items[] = {7, 3, 9, -2, 0, 5, 5};
  int wanted[] = {-2, 0, 3, 5, 5, 7, 9};
  shell_sort(items, 7);
  assert(memcmp(items, wanted, sizeof wanted) == 0);
  return 0;
}
