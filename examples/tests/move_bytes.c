#include <assert.h>

int main(void) {
  uint8_t bytes[] = {1, 2, 3, 4, 5};
  move_bytes(bytes + 1, bytes, 4);
  assert(bytes[0] == 1 && bytes[1] == 1 && bytes[4] == 4);
  move_bytes(bytes, bytes + 2, 3);
  assert(bytes[0] == 2 && bytes[2] == 4);
  return 0;
}
