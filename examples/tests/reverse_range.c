#include <assert.h>
#include <string.h>

int main(void) {
  int items[] = {1, 2, 3, 4, 5};
  int wanted[] = {1, 4, 3, 2, 5};
  reverse_range(items, 1, 3);
  assert(memcmp(items, wanted, sizeof wanted) == 0);
  return 0;
}
