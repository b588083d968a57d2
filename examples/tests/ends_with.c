#include <assert.h>

int main(void) {
  assert(ends_with("file.c", ".c"));
  assert(!ends_with("c", ".c"));
  assert(ends_with("abc", ""));
  return 0;
}
