#include <assert.h>
#include <string.h>

int main(void) {
  int items[] = {1, 2, 3, 4, 5};
  int wanted[] = {3, 4, 5, 1, 2};
  rotate_array(items, 5, 7);
  assert(memcmp(items, wanted, sizeof wanted) == 0);
  return 0;
}
