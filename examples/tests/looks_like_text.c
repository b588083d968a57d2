#include <assert.h>

int main(void) {
  assert(looks_like_text((const uint8_t *)"line\n\ttab", 9));
  assert(!looks_like_text((const uint8_t *)"\x01", 1));
  assert(looks_like_text((const uint8_t *)"", 0));
  return 0;
}
