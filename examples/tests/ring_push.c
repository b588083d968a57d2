#include <assert.h>

int main(void) {
  ring_t ring = {{0}, 127, 1};
  assert(ring_push(&ring, 9) && ring.bytes[127] == 9 && ring.head == 0);
  assert(!ring_push(&ring, 8) && ring.head == 0);
  return 0;
}
