#include <assert.h>

int main(void) {
  assert(backoff_delay(0, 5000) == 100 && backoff_delay(3, 5000) == 800);
  assert(backoff_delay(20, 5000) == 5000);
  return 0;
}
