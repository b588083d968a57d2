#include <assert.h>

int main(void) {
  double values[] = {2.0, 4.0, 6.0};
  assert(variance(values, 3) == 4.0);
  assert(variance(values, 1) == 0.0);
  return 0;
}
