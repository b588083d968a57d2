#include <assert.h>

int main(void) {
  struct slot slots[4] = {{8, 1}, {0, 0}, {6, 1}, {3, 1}};
  assert(probe_slot(slots, 4, 8) == 0 && probe_slot(slots, 4, 4) == 1);
  assert(probe_slot(slots, 4, 10) == 1 && probe_slot(slots, 4, 6) == 2);
  return 0;
}
