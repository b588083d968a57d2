#include <assert.h>
#include <string.h>

int main(void) {
  const char *text = "copy";
  char *copy = duplicate(text);
  assert(copy != text && strcmp(copy, "copy") == 0);
  return 0;
}
