#include <assert.h>

int main(void) {
  uint32_t words[2] = {0xffffffffu, 0x7};
  struct bitset set = {40, words};
  assert(bitset_first_free(&set) == 35);
  words[1] = 0xff;
  assert(bitset_first_free(&set) == -1);
  return 0;
}
