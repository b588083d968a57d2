#include <assert.h>
#include <stdlib.h>

int main(void) {
  tree_t leaf = {1, NULL, NULL};
  tree_t left = {2, &leaf, NULL};
  tree_t root = {3, &left, &leaf};
  assert(tree_depth(&root) == 3 && tree_depth(&leaf) == 1 &&
         tree_depth(NULL) == 0);
  return 0;
}
