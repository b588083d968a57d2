#include <assert.h>
#include <string.h>

int main(void) {
  char text[] = "a-b-c";
  assert(replace_char(text, '-', '+') == 2);
  assert(strcmp(text, "a+b+c") == 0);
  assert(replace_char(text, 'x', 'y') == 0);
  return 0;
}
