#include <assert.h>

int main(void) {
  int sorted[] = {1, 1, 2, 3, 3, 3};
  assert(remove_duplicates(sorted, 6) == 3);
  assert(sorted[0] == 1 && sorted[1] == 2 && sorted[2] == 3);
  assert(remove_duplicates(sorted, 0) == 0);
  return 0;
}
