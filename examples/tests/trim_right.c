#include <assert.h>
#include <string.h>

int main(void) {
  char text[] = " a b \n";
  trim_right(text);
  assert(strcmp(text, " a b") == 0);
  char blank[] = "   ";
  trim_right(blank);
  assert(blank[0] == '\0');
  return 0;
}
