#include <assert.h>
#include <string.h>

int main(void) {
  uint8_t packed[] = {3, 5, 0, 9, 2, 2};
  uint8_t data[8];
  uint8_t wanted[] = {5, 5, 5, 2, 2};
  assert(run_length_decode(packed, 6, data, 8) == 5 &&
         memcmp(data, wanted, 5) == 0);
  assert(run_length_decode(packed, 6, data, 4) == 4);
  return 0;
}
