#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  FILE *source = tmpfile();
  FILE *target = tmpfile();
  assert(source != NULL && target != NULL);
  fputs("some text", source);
  rewind(source);
  assert(copy_stream(source, target) == 9);
  rewind(target);
  assert(getc(target) == 's');
  return 0;
}
