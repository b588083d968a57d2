#include <assert.h>

int main(void) {
  box_t box = {2, 3, 4, 5};
  assert(box_contains(&box, 2, 3) && box_contains(&box, 5, 7));
  assert(!box_contains(&box, 6, 3) && !box_contains(&box, 2, 8));
  return 0;
}
