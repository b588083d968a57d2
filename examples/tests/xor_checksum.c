#include <assert.h>

int main(void) {
  struct packet packet = {1, 3, {4, 8, 16}};
  assert(xor_checksum(&packet) == (1 ^ 3 ^ 4 ^ 8 ^ 16));
  packet.length = 0;
  assert(xor_checksum(&packet) == 1);
  return 0;
}
