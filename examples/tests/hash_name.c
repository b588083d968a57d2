#include <assert.h>

int main(void) {
  assert(hash_name("") == 5381);
  assert(hash_name("a") == 177670);
  assert(hash_name("sk2d") == 2090724633u);
  return 0;
}
