#include <assert.h>

int main(void) {
  int8_t code[] = {1, -10, 3, 0, 2, 3, 4, 20, 0, 0};
  assert(run_program(code, 10, 5) == 15);
  assert(run_program(code, 10, 50) == 20);
  int8_t wrong[] = {9, 0};
  assert(run_program(wrong, 2, 5) == -1);
  return 0;
}
