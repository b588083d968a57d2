#include <assert.h>

int main(void) {
  struct product products[] = {{1, 5, 10, 1.5f}, {2, 2, 10, 3.0f}};
  assert(stock_value(products, 2) == 13.5f);
  return 0;
}
