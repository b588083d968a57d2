#include <assert.h>

int main(void) {
  assert(binomial(5, 2) == 10);
  assert(binomial(30, 15) == 155117520);
  assert(binomial(4, -1) == 0);
  return 0;
}
