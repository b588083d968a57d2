#include <assert.h>

int main(void) {
  ring_t ring = {{5, 6}, 2, 0};
  uint8_t byte = 0;
  assert(ring_pop(&ring, &byte) && byte == 5 && ring.tail == 1);
  assert(ring_pop(&ring, &byte) && byte == 6);
  assert(!ring_pop(&ring, &byte));
  return 0;
}
