#include <assert.h>

int main(void) {
  short samples[] = {-5, 0, 5, 10};
  assert(count_between(samples, 4, -5, 5) == 3);
  assert(count_between(samples, 4, 11, 20) == 0);
  return 0;
}
