#include <assert.h>

int main(void) {
  assert(match_pattern("*.c", "main.c"));
  assert(match_pattern("a?c*", "abcdef"));
  assert(!match_pattern("*.h", "main.c") && !match_pattern("?", ""));
  return 0;
}
