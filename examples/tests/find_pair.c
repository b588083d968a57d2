#include <assert.h>

int main(void) {
  int sorted[] = {1, 3, 4, 8};
  int first = 0;
  int second = 0;
  assert(find_pair(sorted, 4, 7, &first, &second) && first == 1 && second == 2);
  assert(!find_pair(sorted, 4, 6, &first, &second));
  return 0;
}
