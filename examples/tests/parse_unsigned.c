#include <assert.h>

int main(void) {
  unsigned int number = 7;
  assert(parse_unsigned("1234", &number) && number == 1234);
  assert(!parse_unsigned("", &number) && number == 1234);
  assert(!parse_unsigned("12x", &number));
  return 0;
}
