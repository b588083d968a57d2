#include <assert.h>

int main(void) {
  uint8_t bytes[] = {0xde, 0xad, 0xbe, 0xef};
  assert(read_big_endian(bytes) == 0xdeadbeefu);
  return 0;
}
