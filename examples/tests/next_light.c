#include <assert.h>

int main(void) {
  assert(next_light(LIGHT_RED) == LIGHT_GREEN &&
         next_light(LIGHT_GREEN) == LIGHT_YELLOW);
  assert(next_light(LIGHT_YELLOW) == LIGHT_RED &&
         next_light(LIGHT_OFF) == LIGHT_OFF);
  return 0;
}
