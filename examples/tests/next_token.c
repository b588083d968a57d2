#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char line[] = "  one, two";
  char *cursor = line;
  assert(strcmp(next_token(&cursor, " ,"), "one") == 0);
  assert(strcmp(next_token(&cursor, " ,"), "two") == 0);
  assert(next_token(&cursor, " ,") == NULL);
  return 0;
}
