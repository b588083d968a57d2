#include <stddef.h>

typedef struct tree {
  int key;
  struct tree *left;
  struct tree *right;
} tree_t;

tree_t *tree_new(int key);

tree_t *tree_insert(tree_t *root, int key) {
  if (root == NULL) {
    return tree_new(key);
  }
  if (key < root->key) {
    root->left = tree_insert(root->left, key);
  } else if (key > root->key) {
    root->right = tree_insert(root->right, key);
  }
  return root;
}
