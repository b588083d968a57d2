#include <assert.h>

int main(void) {
  assert(lcm(4, 6) == 12);
  assert(lcm(7, 0) == 0);
  assert(lcm(0, 0) == 0);
  return 0;
}
