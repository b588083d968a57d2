#include <assert.h>

int main(void) {
  ring_t ring = {{5, 6, 7}, 3, 0};
  uint8_t bytes[4] = {0};
  assert(ring_read(&ring, bytes, 2) == 2 && bytes[0] == 5 && bytes[1] == 6);
  assert(ring_read(&ring, bytes, 4) == 1 && bytes[0] == 7 && ring.tail == 3);
  return 0;
}
