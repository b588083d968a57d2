#include <assert.h>

int main(void) {
  assert(crc8((const uint8_t *)"123456789", 9) == 0xf4);
  assert(crc8((const uint8_t *)"", 0) == 0);
  return 0;
}
