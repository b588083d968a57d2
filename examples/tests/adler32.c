#include <assert.h>

int main(void) {
  assert(adler32((const uint8_t *)"Wikipedia", 9) == 0x11e60398u);
  assert(adler32((const uint8_t *)"", 0) == 1);
  return 0;
}
