#include <assert.h>

int main(void) {
  assert(are_anagrams("listen", "silent"));
  assert(!are_anagrams("abc", "abb"));
  return 0;
}
