#include <assert.h>

int main(void) {
  for (uint32_t root = 0; root < 200; root++) {
    assert(integer_root(root * root) == root &&
           integer_root(root * root + root) == root);
  }
  return 0;
}
