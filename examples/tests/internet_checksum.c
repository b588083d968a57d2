#include <assert.h>

int main(void) {
  uint16_t words[] = {0x4500, 0x0073, 0x4000, 0xffff};
  assert(internet_checksum(words, 3) == 0x7a8c);
  assert(internet_checksum(words, 4) == 0x7a8c);
  return 0;
}
