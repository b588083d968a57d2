#include <assert.h>

int main(void) {
  int items[] = {-2, 1, -3, 4, -1, 2, 1, -5, 4};
  assert(best_sum(items, 9) == 6);
  assert(best_sum(items, 1) == -2);
  return 0;
}
