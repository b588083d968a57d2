#include <stddef.h>
#include <stdint.h>

uint16_t fletcher16(const uint8_t *data, size_t length) {
  uint16_t low = 0;
  uint16_t high = 0;
  for (size_t i = 0; i < length; i++) {
    low = (uint16_t)((low + data[i]) % 255);
    high = (uint16_t)((high + low) % 255);
  }
  return (uint16_t)(high << 8 | low);
}
