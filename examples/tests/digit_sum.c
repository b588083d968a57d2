#include <assert.h>

int main(void) {
  assert(digit_sum(0) == 0);
  assert(digit_sum(-1234) == 10);
  assert(digit_sum(9999999999) == 90);
  return 0;
}
