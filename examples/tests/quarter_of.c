#include <assert.h>

int main(void) {
  assert(quarter_of(1) == 1 && quarter_of(12) == 4 && quarter_of(7) == 3);
  assert(quarter_of(0) == 0 && quarter_of(13) == 0);
  return 0;
}
