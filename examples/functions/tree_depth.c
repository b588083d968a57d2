#include <stddef.h>

typedef struct tree {
  int key;
  struct tree *left;
  struct tree *right;
} tree_t;

int tree_depth(const tree_t *root) {
  if (root == NULL) {
    return 0;
  }
  int left = tree_depth(root->left);
  int right = tree_depth(root->right);
  return 1 + (left > right ? left : right);
}
