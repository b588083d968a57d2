#include <assert.h>
#include <string.h>

int main(void) {
  char text[40];
  assert(to_base(255, 16, text) == 2 && strcmp(text, "ff") == 0);
  assert(to_base(0, 2, text) == 1 && strcmp(text, "0") == 0);
  assert(to_base(10, 2, text) == 4 && strcmp(text, "1010") == 0);
  return 0;
}
