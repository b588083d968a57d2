#include <assert.h>

int main(void) {
  struct product products[] = {
      {1, 5, 10, 1.0f}, {2, 10, 10, 1.0f}, {3, 0, 1, 1.0f}};
  assert(count_to_order(products, 3) == 2);
  return 0;
}
