#include <assert.h>
#include <stdlib.h>

int main(void) {
  tree_t small = {1, NULL, NULL};
  tree_t large = {9, NULL, NULL};
  tree_t root = {5, &small, &large};
  int keys[3];
  assert(tree_walk(&root, keys, 0) == 3 && keys[0] == 1 && keys[1] == 5 &&
         keys[2] == 9);
  return 0;
}
