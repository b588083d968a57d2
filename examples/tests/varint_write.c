#include <assert.h>

int main(void) {
  uint8_t bytes[10];
  assert(varint_write(300, bytes) == 2 && bytes[0] == 0xac && bytes[1] == 2);
  assert(varint_write(0, bytes) == 1 && bytes[0] == 0);
  return 0;
}
