#include <stdint.h>

uint8_t reverse_bits(uint8_t octet) {
  uint8_t mirrored = 0;
  for (int i = 0; i < 8; i++) {
    mirrored = (uint8_t)(mirrored << 1 | (octet & 1));
    octet >>= 1;
  }
  return mirrored;
}
