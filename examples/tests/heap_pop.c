#include <assert.h>

int main(void) {
  heap_t heap = {{1, 3, 2, 9, 4}, 5};
  assert(heap_pop(&heap) == 1 && heap_pop(&heap) == 2 && heap_pop(&heap) == 3);
  assert(heap_pop(&heap) == 4 && heap.count == 1 && heap.keys[0] == 9);
  return 0;
}
