#include <assert.h>

int main(void) {
  double left[] = {1.0, 2.0, 3.0};
  double right[] = {4.0, -5.0, 6.0};
  assert(dot_product(left, right, 3) == 12.0);
  assert(dot_product(left, right, 0) == 0.0);
  return 0;
}
