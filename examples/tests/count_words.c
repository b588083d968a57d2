#include <assert.h>

int main(void) {
  assert(count_words("  two\twords ") == 2);
  assert(count_words("") == 0);
  assert(count_words("one") == 1);
  return 0;
}
