#include <assert.h>

int main(void) {
  box_t box = {2, 3, 4, 5};
  box_move(&box, -5, 1);
  assert(box.left == -3 && box.top == 4 && box.width == 4 && box.height == 5);
  return 0;
}
