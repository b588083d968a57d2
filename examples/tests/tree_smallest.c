#include <assert.h>
#include <stdlib.h>

int main(void) {
  tree_t small = {1, NULL, NULL};
  tree_t root = {5, &small, NULL};
  assert(tree_smallest(&root, 7) == 1 && tree_smallest(NULL, 7) == 7);
  return 0;
}
