#include <assert.h>

int main(void) {
  assert(fnv1a("", 0) == 0xcbf29ce484222325u);
  assert(fnv1a("foobar", 6) == 0x85944171f73967e8u);
  return 0;
}
