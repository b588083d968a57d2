#include <stddef.h>
#include <stdint.h>

#define ADLER_MODULUS 65521

uint32_t adler32(const uint8_t *data, size_t length) {
  uint32_t low = 1;
  uint32_t high = 0;
  for (size_t i = 0; i < length; i++) {
    low = (low + data[i]) % ADLER_MODULUS;
    high = (high + low) % ADLER_MODULUS;
  }
  return high << 16 | low;
}
