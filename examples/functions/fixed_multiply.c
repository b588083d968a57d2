#include <stdint.h>

typedef int32_t fixed_t;

fixed_t fixed_multiply(fixed_t left, fixed_t right) {
  int64_t product = (int64_t)left * right;
  return (fixed_t)((product + 0x8000) >> 16);
}
