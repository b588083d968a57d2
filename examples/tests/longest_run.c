#include <assert.h>

int main(void) {
  int items[] = {1, 1, 2, 2, 2, 1};
  assert(longest_run(items, 6) == 3);
  assert(longest_run(items, 2) == 2);
  assert(longest_run(items, 0) == 0);
  return 0;
}
