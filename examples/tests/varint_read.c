#include <assert.h>

int main(void) {
  uint8_t bytes[] = {0xac, 0x02, 0x80};
  uint64_t value = 9;
  assert(varint_read(bytes, 3, &value) == 2 && value == 300);
  assert(varint_read(bytes + 2, 1, &value) == 0 && value == 300);
  return 0;
}
