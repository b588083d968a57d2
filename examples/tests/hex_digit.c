#include <assert.h>

int main(void) {
  assert(hex_digit('0') == 0 && hex_digit('a') == 10 && hex_digit('F') == 15);
  assert(hex_digit('g') == -1);
  return 0;
}
