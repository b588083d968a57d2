#include <assert.h>
#include <string.h>

int main(void) {
  uint8_t data[] = "secret";
  xor_cipher(data, 6, "key", 3);
  assert(memcmp(data, "secret", 6) != 0 && data[0] == ('s' ^ 'k') &&
         data[3] == ('r' ^ 'k'));
  xor_cipher(data, 6, "key", 3);
  assert(memcmp(data, "secret", 6) == 0);
  return 0;
}
