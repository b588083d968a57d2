#include <assert.h>

int main(void) {
  assert(reverse_bits(0x01) == 0x80);
  assert(reverse_bits(0x16) == 0x68);
  assert(reverse_bits(0xff) == 0xff);
  return 0;
}
