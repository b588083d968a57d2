#include <assert.h>

int main(void) {
  double values[] = {1.0, 2.0, 6.0};
  assert(mean(values, 3) == 3.0);
  assert(mean(values, 0) == 0.0);
  return 0;
}
