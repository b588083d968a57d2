#include <assert.h>

int main(void) {
  float state = 0.0f;
  assert(smooth(&state, 8.0f, 0.5f) == 4.0f && state == 4.0f);
  assert(smooth(&state, 8.0f, 0.25f) == 5.0f);
  return 0;
}
