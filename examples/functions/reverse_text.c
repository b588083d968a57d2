#include <string.h>

char *reverse_text(char *text) {
  size_t left = 0;
  size_t right = strlen(text);
  while (left + 1 < right) {
    char swapped = text[left];
    text[left++] = text[--right];
    text[right] = swapped;
  }
  return text;
}
