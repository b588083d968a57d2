#include <assert.h>

int main(void) {
  assert(saturating_add(1, 2) == 3);
  assert(saturating_add(INT_MAX, 1) == INT_MAX);
  assert(saturating_add(INT_MIN, -1) == INT_MIN);
  assert(saturating_add(INT_MIN, INT_MAX) == -1);
  return 0;
}
