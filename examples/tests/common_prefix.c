#include <assert.h>

int main(void) {
  assert(common_prefix("interval", "internal") == 5);
  assert(common_prefix("same", "same") == 4);
  assert(common_prefix("", "x") == 0);
  return 0;
}
