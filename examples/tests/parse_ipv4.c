#include <assert.h>

int main(void) {
  uint32_t address = 0;
  assert(parse_ipv4("192.168.0.1", &address) && address == 0xc0a80001u);
  assert(!parse_ipv4("256.0.0.1", &address));
  assert(!parse_ipv4("1.2.3", &address) && !parse_ipv4("1.2.3.4.", &address));
  return 0;
}
