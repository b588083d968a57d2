#include <assert.h>

int main(void) {
  box_t a = {0, 0, 10, 10};
  box_t b = {9, 9, 5, 5};
  box_t c = {10, 0, 5, 5};
  assert(boxes_overlap(&a, &b) && !boxes_overlap(&a, &c));
  return 0;
}
