#include <assert.h>

int main(void) {
  assert(calculate("34+") == 7);
  assert(calculate("92-3*") == 21);
  assert(calculate("") == 0);
  return 0;
}
