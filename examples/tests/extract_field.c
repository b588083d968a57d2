#include <assert.h>

int main(void) {
  assert(extract_field(0xabcd1234u, 8, 8) == 0x12);
  assert(extract_field(0xabcd1234u, 28, 16) == 0xa);
  assert(extract_field(0xabcd1234u, 0, 32) == 0xabcd1234u);
  assert(extract_field(0xabcd1234u, 32, 4) == 0);
  return 0;
}
