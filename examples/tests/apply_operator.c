#include <assert.h>

int main(void) {
  int result = 0;
  assert(apply_operator('+', 2, 3, &result) && result == 5);
  assert(apply_operator('-', 2, 3, &result) && result == -1);
  assert(apply_operator('*', 2, 3, &result) && result == 6);
  assert(!apply_operator('?', 9, 9, &result) && result == 6);
  return 0;
}
