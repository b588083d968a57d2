#include <assert.h>

int main(void) {
  for (uint32_t number = 0; number < 300; number++) {
    assert(gray_decode(number ^ number >> 1) == number);
  }
  return 0;
}
