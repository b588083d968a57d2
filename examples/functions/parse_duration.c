#include <stdlib.h>

long parse_duration(const char *text) {
  char *unit;
  long amount = strtol(text, &unit, 10);
  switch (*unit) {
    case 'd':
      return amount * 86400;
    case 'h':
      return amount * 3600;
    case 'm':
      return amount * 60;
    case 's':
    case '\0':
      return amount;
    default:
      return -1;
  }
}
