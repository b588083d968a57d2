#include <assert.h>

int main(void) {
  uint8_t bytes[4] = {9, 9, 9, 9};
  write_little_endian(bytes, 0x123456, 3);
  assert(bytes[0] == 0x56 && bytes[1] == 0x34 && bytes[2] == 0x12 &&
         bytes[3] == 9);
  return 0;
}
