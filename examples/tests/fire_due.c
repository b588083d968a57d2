#include <assert.h>
#include <stdlib.h>

static void count(void *context) { ++*(int *)context; }

int main(void) {
  int fired = 0;
  struct timer timers[] = {
      {5, count, &fired}, {9, count, &fired}, {4, NULL, NULL}};
  assert(fire_due(timers, 3, 5) == 1 && fired == 1 && timers[0].fire == NULL);
  assert(fire_due(timers, 3, 20) == 1 && fired == 2);
  return 0;
}
