#include <assert.h>
#include <string.h>

int main(void) {
  char text[] = "Xyz, abc!";
  caesar(text, 3);
  assert(strcmp(text, "Abc, def!") == 0);
  caesar(text, -29);
  assert(strcmp(text, "Xyz, abc!") == 0);
  return 0;
}
