#include <assert.h>

int main(void) {
  assert(base64_value('A') == 0 && base64_value('z') == 51 &&
         base64_value('9') == 61);
  assert(base64_value('+') == 62 && base64_value('/') == 63 &&
         base64_value('=') == -1);
  return 0;
}
