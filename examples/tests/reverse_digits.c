#include <assert.h>

int main(void) {
  assert(reverse_digits(1230) == 321);
  assert(reverse_digits(-45) == -54);
  assert(reverse_digits(2147483647) == 0 || reverse_digits(1999999999) == 0);
  return 0;
}
