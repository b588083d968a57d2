#include <stdbool.h>
#include <stdint.h>

#define RING_SIZE 128

typedef struct {
  uint8_t bytes[RING_SIZE];
  unsigned int head;
  unsigned int tail;
} ring_t;

bool ring_push(ring_t *ring, uint8_t byte) {
  unsigned int next = (ring->head + 1) % RING_SIZE;
  if (next == ring->tail) {
    return false;
  }
  ring->bytes[ring->head] = byte;
  ring->head = next;
  return true;
}
