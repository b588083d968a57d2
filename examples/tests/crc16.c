#include <assert.h>

int main(void) {
  assert(crc16(0xffff, (const uint8_t *)"123456789", 9) == 0x29b1);
  assert(crc16(0, (const uint8_t *)"123456789", 9) == 0x31c3);
  return 0;
}
