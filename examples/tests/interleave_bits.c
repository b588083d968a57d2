#include <assert.h>

int main(void) {
  assert(interleave_bits(3, 0) == 5);
  assert(interleave_bits(0, 3) == 10);
  assert(interleave_bits(0xffff, 0xffff) == 0xffffffffu);
  return 0;
}
