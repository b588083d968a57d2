#include <assert.h>

int main(void) {
  assert(fletcher16((const uint8_t *)"abcde", 5) == 0xc8f0);
  assert(fletcher16((const uint8_t *)"abcdef", 6) == 0x2057);
  return 0;
}
