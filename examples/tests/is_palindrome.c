#include <assert.h>

int main(void) {
  assert(is_palindrome("Anna"));
  assert(is_palindrome(""));
  assert(!is_palindrome("ab"));
  return 0;
}
