#include <assert.h>

int main(void) {
  int items[] = {1, 2, 2, 5, 4};
  assert(is_sorted(items, 4));
  assert(!is_sorted(items, 5));
  assert(is_sorted(items, 0));
  return 0;
}
