#include <assert.h>

int main(void) {
  uint32_t state = 1;
  assert(next_random(&state) == 270369 && state == 270369);
  assert(next_random(&state) == 67634689);
  return 0;
}
