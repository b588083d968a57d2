#include <assert.h>

int main(void) {
  box_t a = {0, 5, 2, 2};
  box_t b = {-3, 6, 4, 9};
  box_t around = box_around(a, b);
  assert(around.left == -3 && around.top == 5 && around.width == 5 &&
         around.height == 10);
  return 0;
}
