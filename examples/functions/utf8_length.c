#include <stddef.h>

size_t utf8_length(const char *text) {
  size_t length = 0;
  for (; *text != '\0'; text++) {
    if ((*text & 0xc0) != 0x80) {
      length++;
    }
  }
  return length;
}
