#include <assert.h>
#include <stdlib.h>

int main(void) {
  tree_t *tree = tree_new(6);
  assert(tree->key == 6 && tree->left == NULL && tree->right == NULL);
  return 0;
}
