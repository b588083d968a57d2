#include <assert.h>

int main(void) {
  assert(power_mod(2, 10, 1000) == 24);
  assert(power_mod(7, 128, 13) == 3);
  assert(power_mod(5, 0, 7) == 1);
  return 0;
}
