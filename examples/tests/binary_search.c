#include <assert.h>

int main(void) {
  int sorted[] = {1, 3, 5, 8, 13};
  for (int i = 0; i < 5; i++) {
    assert(binary_search(sorted, 5, sorted[i]) == i);
  }
  assert(binary_search(sorted, 5, 4) == -1);
  assert(binary_search(sorted, 0, 1) == -1);
  return 0;
}
