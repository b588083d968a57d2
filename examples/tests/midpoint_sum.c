#include <assert.h>
#include <math.h>

int main(void) {
  assert(fabs(midpoint_sum(sqrt, 0.0, 1.0, 1000) - 2.0 / 3.0) < 1e-4);
  assert(midpoint_sum(fabs, -1.0, 1.0, 4) == 1.0);
  return 0;
}
