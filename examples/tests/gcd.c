#include <assert.h>

int main(void) {
  assert(gcd(12, 18) == 6);
  assert(gcd(17, 5) == 1);
  assert(gcd(9, 0) == 9);
  return 0;
}
