#include <assert.h>

int main(void) {
  uint8_t left[] = {0xff, 0x00, 0x0f};
  uint8_t right[] = {0xff, 0x03, 0xf0};
  assert(hamming_distance(left, right, 3) == 10);
  assert(hamming_distance(left, right, 1) == 0);
  return 0;
}
