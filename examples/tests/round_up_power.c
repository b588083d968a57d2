#include <assert.h>

int main(void) {
  assert(round_up_power(0) == 1);
  assert(round_up_power(17) == 32);
  assert(round_up_power(64) == 64);
  return 0;
}
