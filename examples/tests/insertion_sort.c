#include <assert.h>

int main(void) {
  int items[] = {5, -1, 4, 4, 0};
  insertion_sort(items, 5);
  assert(items[0] == -1 && items[1] == 0 && items[2] == 4 && items[3] == 4 &&
         items[4] == 5);
  return 0;
}
