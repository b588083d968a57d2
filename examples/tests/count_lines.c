#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  FILE *stream = tmpfile();
  assert(stream != NULL && count_lines(stream) == 0);
  fputs("one\ntwo\nthree", stream);
  rewind(stream);
  assert(count_lines(stream) == 3);
  return 0;
}
