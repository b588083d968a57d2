#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define RING_SIZE 128
#define HEAP_SIZE 64

typedef struct {
  uint8_t bytes[RING_SIZE];
  unsigned int head;
  unsigned int tail;
} ring_t;

struct stack {
  int *items;
  int depth;
};

typedef struct {
  int keys[HEAP_SIZE];
  int count;
} heap_t;

void report_error(const char *message) {
  static int errors = 0;
  errors++;
  fprintf(stderr, "error %d: %s\n", errors, message);
}

bool ring_pop(ring_t *ring, uint8_t *byte) {
  if (ring->head == ring->tail) {
    return false;
  }
  *byte = ring->bytes[ring->tail];
  ring->tail = (ring->tail + 1) % RING_SIZE;
  return true;
}

bool ring_push(ring_t *ring, uint8_t byte) {
  unsigned int next = (ring->head + 1) % RING_SIZE;
  if (next == ring->tail) {
    return false;
  }
  ring->bytes[ring->head] = byte;
  ring->head = next;
  return true;
}

int stack_pop(struct stack *stack) {
  if (stack->depth == 0) {
    report_error("the stack is empty");
    exit(1);
  }
  stack->depth--;
  return stack->items[stack->depth];
}

unsigned int ring_count(const ring_t *ring) {
  return (ring->head + RING_SIZE - ring->tail) % RING_SIZE;
}

int ring_read(ring_t *ring, uint8_t *bytes, int wanted) {
  int taken = 0;
  while (taken < wanted && ring_pop(ring, &bytes[taken])) {
    taken++;
  }
  return taken;
}

bool stack_reserve(struct stack *stack, int room) {
  int *moved = realloc(stack->items, (size_t)room * sizeof(int));
  if (moved == NULL) {
    report_error("out of memory");
    return false;
  }
  stack->items = moved;
  return true;
}

bool heap_push(heap_t *heap, int key) {
  if (heap->count == HEAP_SIZE) {
    return false;
  }
  int place = heap->count++;
  while (place > 0 && heap->keys[(place - 1) / 2] > key) {
    heap->keys[place] = heap->keys[(place - 1) / 2];
    place = (place - 1) / 2;
  }
  heap->keys[place] = key;
  return true;
}

int heap_pop(heap_t *heap) {
  int smallest = heap->keys[0];
  int moved = heap->keys[--heap->count];
  int place = 0;
  for (;;) {
    int child = 2 * place + 1;
    if (child >= heap->count) {
      break;
    }
    if (child + 1 < heap->count && heap->keys[child + 1] < heap->keys[child]) {
      child++;
    }
    if (heap->keys[child] >= moved) {
      break;
    }
    heap->keys[place] = heap->keys[child];
    place = child;
  }
  heap->keys[place] = moved;
  return smallest;
}
