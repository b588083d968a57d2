#include <assert.h>

int main(void) {
  uint32_t table[256];
  for (uint32_t byte = 0; byte < 256; byte++) {
    table[byte] = byte;
    for (int bit = 0; bit < 8; bit++) {
      table[byte] = table[byte] >> 1 ^ (table[byte] & 1) * 0xedb88320u;
    }
  }
  assert(crc32_update(table, 0, (const uint8_t *)"123456789", 9) ==
         0xcbf43926u);
  return 0;
}
