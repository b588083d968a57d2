#include <assert.h>

int main(void) {
  assert(is_valid_step(LIGHT_RED, LIGHT_GREEN) &&
         is_valid_step(LIGHT_RED, LIGHT_OFF));
  assert(!is_valid_step(LIGHT_GREEN, LIGHT_RED) &&
         !is_valid_step(LIGHT_OFF, LIGHT_RED));
  return 0;
}
