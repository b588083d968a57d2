#include <assert.h>

int main(void) {
  struct lift lift = {2, 4, 0, true};
  lift_step(&lift);
  assert(lift.floor == 3 && lift.direction == 1 && !lift.open);
  lift_step(&lift);
  lift_step(&lift);
  assert(lift.floor == 4 && lift.direction == 0 && lift.open);
  return 0;
}
