#include <assert.h>

int main(void) {
  struct slot slots[2] = {{0, 0}, {7, 1}};
  assert(claim_slot(slots, 2, 7) == 0 && claim_slot(slots, 2, 9) == 1);
  assert(slots[0].key == 9 && slots[0].used && claim_slot(slots, 2, 5) == -1);
  return 0;
}
