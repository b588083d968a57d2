#include <assert.h>

int main(void) {
  assert(fixed_divide(3 << 16, 2 << 16) == 0x18000);
  assert(fixed_divide(-1, 0) == INT32_MIN);
  assert(fixed_divide(1, 0) == INT32_MAX);
  return 0;
}
