#include <assert.h>

int main(void) {
  ring_t ring = {{0}, 3, 1};
  assert(ring_count(&ring) == 2);
  ring.tail = 125;
  assert(ring_count(&ring) == 6);
  return 0;
}
