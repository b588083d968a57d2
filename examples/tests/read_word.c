#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  FILE *stream = tmpfile();
  char word[6];
  assert(stream != NULL);
  fputs("  two words", stream);
  rewind(stream);
  assert(read_word(stream, word, 6) == 3 && strcmp(word, "two") == 0);
  assert(read_word(stream, word, 6) == 5 && strcmp(word, "words") == 0);
  assert(read_word(stream, word, 6) == 0);
  return 0;
}
