#include <assert.h>
#include <stdlib.h>

int main(void) {
  tree_t small = {1, NULL, NULL};
  tree_t large = {9, &small, NULL};
  tree_t root = {5, &large, NULL};
  tree_mirror(&root);
  assert(root.left == NULL && root.right == &large && large.right == &small &&
         large.left == NULL);
  return 0;
}
