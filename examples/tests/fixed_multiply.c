#include <assert.h>

int main(void) {
  assert(fixed_multiply(3 << 16, 1 << 15) == 0x18000);
  assert(fixed_multiply(-(2 << 16), 5 << 16) == -(10 << 16));
  return 0;
}
