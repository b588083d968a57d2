#include <assert.h>

int main(void) {
  assert(days_since_epoch(1970, 1, 1) == 0);
  assert(days_since_epoch(2000, 3, 1) == 11017);
  return 0;
}
