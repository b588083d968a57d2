#include <assert.h>
#include <string.h>

int main(void) {
  uint8_t data[] = {5, 5, 5, 1, 2, 2};
  uint8_t packed[12];
  uint8_t wanted[] = {3, 5, 1, 1, 2, 2};
  assert(run_length_encode(data, 6, packed) == 6);
  assert(memcmp(packed, wanted, 6) == 0);
  return 0;
}
