#include <assert.h>
#include <stdlib.h>

int main(void) {
  tree_t leaf = {1, NULL, NULL};
  tree_t root = {2, &leaf, NULL};
  assert(tree_count(&root) == 2 && tree_count(NULL) == 0);
  return 0;
}
