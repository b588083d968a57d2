#include <assert.h>

int main(void) {
  assert(collatz_steps(1) == 0);
  assert(collatz_steps(6) == 8);
  assert(collatz_steps(27) == 111);
  return 0;
}
