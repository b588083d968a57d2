#include <assert.h>

int main(void) {
  assert(count_vowels("education") == 5);
  assert(count_vowels("rhythm") == 0);
  return 0;
}
