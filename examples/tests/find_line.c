#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  FILE *stream = tmpfile();
  assert(stream != NULL);
  fputs("alpha\nbeta\ngamma\n", stream);
  rewind(stream);
  assert(find_line(stream, "mm") == 3);
  rewind(stream);
  assert(find_line(stream, "delta") == 0);
  return 0;
}
