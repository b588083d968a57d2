#include <assert.h>

int main(void) {
  assert(fibonacci(0) == 0);
  assert(fibonacci(10) == 55);
  assert(fibonacci(90) == 2880067194370816120u);
  return 0;
}
