#include <stdbool.h>

bool parse_unsigned(const char *text, unsigned int *number) {
  unsigned int total = 0;
  if (*text == '\0') {
    return false;
  }
  while (*text >= '0' && *text <= '9') {
    total = total * 10 + (unsigned int)(*text++ - '0');
  }
  *number = total;
  return *text == '\0';
}
