#include <assert.h>

int main(void) {
  int items[] = {9, 1, 8, 2, 5};
  int border = partition(items, 0, 4);
  assert(border == 2 && items[2] == 5);
  assert(items[0] < 5 && items[1] < 5 && items[3] > 5 && items[4] > 5);
  return 0;
}
