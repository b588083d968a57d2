#include <stdbool.h>

int count_words(const char *text) {
  int words = 0;
  bool inside = false;
  for (; *text != '\0'; text++) {
    if (*text == ' ' || *text == '\n' || *text == '\t') {
      inside = false;
    } else if (!inside) {
      inside = true;
      words++;
    }
  }
  return words;
}
