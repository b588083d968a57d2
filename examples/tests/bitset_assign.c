#include <assert.h>

int main(void) {
  uint32_t words[2] = {0, 0xffffffffu};
  struct bitset set = {40, words};
  assert(bitset_assign(&set, 3, true) && words[0] == 8);
  assert(bitset_assign(&set, 33, false) && words[1] == 0xfffffffdu);
  assert(!bitset_assign(&set, 40, true) && words[1] == 0xfffffffdu);
  return 0;
}
