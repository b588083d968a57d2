#include <assert.h>

int main(void) {
  assert(hash_text("") == 0 && hash_text("a") == 97);
  assert(hash_text("ab") == 97 * 31 + 98);
  return 0;
}
