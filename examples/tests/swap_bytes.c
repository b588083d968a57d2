#include <assert.h>

int main(void) {
  assert(swap_bytes(0x12345678u) == 0x78563412u);
  assert(swap_bytes(0xff000000u) == 0xffu);
  return 0;
}
