#include <assert.h>

int main(void) {
  size_t length;
  assert(next_kind("123abc", &length) == TOKEN_NUMBER && length == 3);
  assert(next_kind("ab1", &length) == TOKEN_WORD && length == 2);
  assert(next_kind("+1", &length) == TOKEN_SIGN && length == 1);
  assert(next_kind("", &length) == TOKEN_END && length == 0);
  return 0;
}
