#include <assert.h>

int main(void) {
  assert(brackets_match("(a[0])"));
  assert(!brackets_match("(]") && !brackets_match("((") &&
         !brackets_match(")"));
  return 0;
}
