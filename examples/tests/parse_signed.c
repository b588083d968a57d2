#include <assert.h>

int main(void) {
  const char *end;
  assert(parse_signed("-120x", &end) == -120 && *end == 'x');
  assert(parse_signed("+7", &end) == 7 && *end == '\0');
  assert(parse_signed("abc", &end) == 0 && *end == 'a');
  return 0;
}
