#include <assert.h>

int main(void) {
  assert(sign_extend(0xff, 8) == -1);
  assert(sign_extend(0x7f, 8) == 127);
  assert(sign_extend(0x800, 12) == -2048);
  return 0;
}
