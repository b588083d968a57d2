#include <assert.h>

int main(void) {
  double coefficients[] = {1.0, -2.0, 3.0};
  assert(polynomial(coefficients, 2, 2.0) == 9.0);
  assert(polynomial(coefficients, 0, 2.0) == 1.0);
  return 0;
}
