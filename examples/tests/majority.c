#include <assert.h>

int main(void) {
  int votes[] = {2, 7, 2, 2, 1, 2};
  assert(majority(votes, 6) == 2);
  assert(majority(votes, 0) == -1);
  return 0;
}
