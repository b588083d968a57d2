#include <assert.h>

int main(void) {
  assert(count_bits(0) == 0);
  assert(count_bits(0xf0f0u) == 8);
  assert(count_bits(0xffffffffu) == 32);
  return 0;
}
