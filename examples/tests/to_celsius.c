#include <assert.h>

int main(void) {
  assert(to_celsius(212.0) == 100.0);
  assert(to_celsius(-40.0) == -40.0);
  return 0;
}
