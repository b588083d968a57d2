#include <assert.h>

int main(void) {
  assert(highest_bit(0) == -1);
  assert(highest_bit(1) == 0);
  assert(highest_bit(0x80000000u) == 31);
  return 0;
}
