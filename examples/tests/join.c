#include <assert.h>
#include <string.h>

int main(void) {
  char *joined = join("left", "right", ':');
  assert(strcmp(joined, "left:right") == 0);
  assert(strcmp(join("", "", '/'), "/") == 0);
  return 0;
}
