#include <assert.h>

int main(void) {
  assert(grade(0.95) == 1 && grade(0.8) == 2 && grade(0.5) == 3);
  assert(grade(0.25) == 4 && grade(0.1) == 5);
  return 0;
}
