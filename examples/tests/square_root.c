#include <assert.h>

int main(void) {
  assert(square_root(16.0) == 4.0);
  assert(square_root(-1.0) == 0.0);
  assert(square_root(2.0) > 1.41421 && square_root(2.0) < 1.41422);
  assert(square_root(0.25) == 0.5);
  return 0;
}
