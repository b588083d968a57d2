#include <assert.h>

int main(void) {
  int found = 0;
  for (unsigned int number = 0; number < 1000; number++) {
    found += is_prime(number);
  }
  assert(found == 168);
  assert(is_prime(65537) && !is_prime(65539u * 3) && !is_prime(25));
  return 0;
}
