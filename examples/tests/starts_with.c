#include <assert.h>

int main(void) {
  assert(starts_with("prefix", "pre"));
  assert(!starts_with("pre", "prefix"));
  assert(starts_with("", ""));
  return 0;
}
