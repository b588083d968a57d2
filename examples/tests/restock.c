#include <assert.h>

int main(void) {
  struct product product = {1, 65530, 10, 1.0f};
  assert(restock(&product, 5) && product.stock == 65535);
  assert(!restock(&product, 1) && product.stock == 65535);
  return 0;
}
