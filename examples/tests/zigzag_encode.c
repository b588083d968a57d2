#include <assert.h>

int main(void) {
  assert(zigzag_encode(0) == 0 && zigzag_encode(-1) == 1 &&
         zigzag_encode(1) == 2);
  assert(zigzag_encode(INT32_MIN) == 0xffffffffu);
  return 0;
}
