#include <assert.h>

int main(void) {
  heap_t heap = {{0}, 0};
  assert(heap_push(&heap, 5) && heap_push(&heap, 2) && heap_push(&heap, 8) &&
         heap_push(&heap, 1));
  assert(heap.count == 4 && heap.keys[0] == 1 && heap.keys[1] == 2);
  heap.count = HEAP_SIZE;
  assert(!heap_push(&heap, 3));
  return 0;
}
