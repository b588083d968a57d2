#include <assert.h>

int main(void) {
  assert(utf8_length("abc") == 3);
  assert(utf8_length("\xc3\xa4\xe2\x82\xac!") == 3);
  return 0;
}
