#include <assert.h>

int main(void) {
  unsigned int counts[26] = {0};
  count_letters("banana!Z", counts);
  assert(counts[0] == 3 && counts[1] == 1 && counts[13] == 2 &&
         counts[25] == 0);
  return 0;
}
