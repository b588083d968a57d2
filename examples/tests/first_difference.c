#include <assert.h>

int main(void) {
  uint8_t left[] = {1, 2, 3};
  uint8_t right[] = {1, 2, 4};
  assert(first_difference(left, right, 3) == 2 &&
         first_difference(left, right, 2) == -1);
  return 0;
}
