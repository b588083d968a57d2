#include <assert.h>

int main(void) {
  long a = 5;
  long b = 3000000000;
  assert(compare_longs(&a, &b) == -1 && compare_longs(&b, &a) == 1 &&
         compare_longs(&a, &a) == 0);
  return 0;
}
