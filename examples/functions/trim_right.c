#include <ctype.h>
#include <string.h>

void trim_right(char *text) {
  size_t length = strlen(text);
  while (length > 0 && isspace((unsigned char)text[length - 1])) {
    length--;
  }
  text[length] = '\0';
}
