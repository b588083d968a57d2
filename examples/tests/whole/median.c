#include <assert.h>

int main(void) {
  long values[] = {9, 1, 5000000000, 3, 7};
  assert(median(values, 5) == 7 && values[0] == 1 && values[4] == 5000000000);
  return 0;
}
