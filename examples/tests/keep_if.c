#include <assert.h>

static bool is_even(int item) { return item % 2 == 0; }

int main(void) {
  int items[] = {1, 4, 7, 8};
  assert(keep_if(items, 4, is_even) == 2 && items[0] == 4 && items[1] == 8);
  return 0;
}
