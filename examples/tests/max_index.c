#include <assert.h>

int main(void) {
  int scores[] = {3, 9, 9, 1};
  assert(max_index(scores, 4) == 1);
  assert(max_index(scores, 1) == 0);
  return 0;
}
