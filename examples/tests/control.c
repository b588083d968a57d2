#include <assert.h>

int main(void) {
  struct controller controller = {100, 0, 0};
  assert(control(&controller, 60) == 4 * 40 + 5 + 80);
  assert(controller.integral == 40 && controller.last_error == 40);
  assert(control(&controller, -900) == 4000 + 125 + 1920);
  return 0;
}
