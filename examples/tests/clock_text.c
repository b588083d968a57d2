#include <assert.h>
#include <string.h>

int main(void) {
  char text[16];
  clock_text(59, text, 16);
  assert(strcmp(text, "0:59") == 0);
  clock_text(3723, text, 16);
  assert(strcmp(text, "1:02:03") == 0);
  return 0;
}
