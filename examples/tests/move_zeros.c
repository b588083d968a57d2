#include <assert.h>

int main(void) {
  int items[] = {0, 3, 0, 5};
  assert(move_zeros(items, 4) == 2);
  assert(items[0] == 3 && items[1] == 5 && items[2] == 0 && items[3] == 0);
  return 0;
}
