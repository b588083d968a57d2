#include <stdint.h>

uint32_t hash_name(const char *name) {
  uint32_t hash = 5381;
  while (*name != '\0') {
    hash = hash * 33 + (uint8_t)*name++;
  }
  return hash;
}
