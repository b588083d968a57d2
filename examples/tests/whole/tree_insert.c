#include <assert.h>
#include <stdlib.h>

int main(void) {
  tree_t *root = NULL;
  int order[] = {5, 2, 8, 2, 9};
  for (int i = 0; i < 5; i++) {
    root = tree_insert(root, order[i]);
  }
  assert(root->key == 5 && root->left->key == 2 && root->right->key == 8);
  assert(root->right->right->key == 9 && root->right->left == NULL);
  assert(root->left->left == NULL && root->left->right == NULL);
  return 0;
}
