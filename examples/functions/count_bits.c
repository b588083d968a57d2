#include <stdint.h>

int count_bits(uint32_t word) {
  int bits = 0;
  while (word != 0) {
    word &= word - 1;
    bits++;
  }
  return bits;
}
