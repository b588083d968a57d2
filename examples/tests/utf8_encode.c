#include <assert.h>
#include <string.h>

int main(void) {
  char text[4];
  assert(utf8_encode('A', text) == 1 && text[0] == 'A');
  assert(utf8_encode(0xe4, text) == 2 && memcmp(text, "\xc3\xa4", 2) == 0);
  assert(utf8_encode(0x20ac, text) == 3 &&
         memcmp(text, "\xe2\x82\xac", 3) == 0);
  assert(utf8_encode(0x1f600, text) == 0);
  return 0;
}
