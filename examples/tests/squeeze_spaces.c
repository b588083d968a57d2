#include <assert.h>
#include <string.h>

int main(void) {
  char text[] = "a   b  c ";
  assert(squeeze_spaces(text) == 6);
  assert(strcmp(text, "a b c ") == 0);
  return 0;
}
