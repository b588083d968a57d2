#include <assert.h>

int main(void) {
  assert(count_paths(1, 1) == 1);
  assert(count_paths(3, 3) == 6);
  assert(count_paths(16, 16) == 155117520);
  assert(count_paths(17, 2) == -1);
  return 0;
}
