#include <stdint.h>

uint32_t integer_root(uint32_t square) {
  uint32_t root = 0;
  for (uint32_t bit = 1u << 15; bit != 0; bit >>= 1) {
    uint32_t candidate = root | bit;
    if (candidate * candidate <= square) {
      root = candidate;
    }
  }
  return root;
}
