#include <stdbool.h>
#include <stdint.h>

#define RING_SIZE 128

typedef struct {
  uint8_t bytes[RING_SIZE];
  unsigned int head;
  unsigned int tail;
} ring_t;

bool ring_pop(ring_t *ring, uint8_t *byte) {
  if (ring->head == ring->tail) {
    return false;
  }
  *byte = ring->bytes[ring->tail];
  ring->tail = (ring->tail + 1) % RING_SIZE;
  return true;
}
