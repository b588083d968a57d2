#include <assert.h>
#include <stdlib.h>

int main(void) {
  tree_t small = {1, NULL, NULL};
  tree_t large = {9, NULL, NULL};
  tree_t root = {5, &small, &large};
  assert(tree_find(&root, 9) == &large && tree_find(&root, 1) == &small);
  assert(tree_find(&root, 6) == NULL);
  return 0;
}
