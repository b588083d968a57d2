#include <assert.h>

int main(void) {
  int items[] = {2000000000, 2000000000, -1};
  long sums[3];
  prefix_sums(items, 3, sums);
  assert(sums[0] == 2000000000 && sums[1] == 4000000000 &&
         sums[2] == 3999999999);
  return 0;
}
