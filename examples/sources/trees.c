#include <stddef.h>
#include <stdlib.h>

typedef struct tree {
  int key;
  struct tree *left;
  struct tree *right;
} tree_t;

tree_t *tree_new(int key) {
  tree_t *fresh = malloc(sizeof(tree_t));
  if (fresh == NULL) {
    abort();
  }
  fresh->key = key;
  fresh->left = NULL;
  fresh->right = NULL;
  return fresh;
}

int tree_depth(const tree_t *root) {
  if (root == NULL) {
    return 0;
  }
  int left = tree_depth(root->left);
  int right = tree_depth(root->right);
  return 1 + (left > right ? left : right);
}

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

const tree_t *tree_find(const tree_t *root, int key) {
  while (root != NULL && root->key != key) {
    root = key < root->key ? root->left : root->right;
  }
  return root;
}

int tree_count(const tree_t *root) {
  if (root == NULL) {
    return 0;
  }
  return 1 + tree_count(root->left) + tree_count(root->right);
}

int tree_smallest(const tree_t *root, int fallback) {
  if (root == NULL) {
    return fallback;
  }
  while (root->left != NULL) {
    root = root->left;
  }
  return root->key;
}

long tree_sum_between(const tree_t *root, int low, int high) {
  long sum = 0;
  if (root == NULL) {
    return 0;
  }
  if (root->key > low) {
    sum += tree_sum_between(root->left, low, high);
  }
  if (root->key >= low && root->key <= high) {
    sum += root->key;
  }
  if (root->key < high) {
    sum += tree_sum_between(root->right, low, high);
  }
  return sum;
}

void tree_free(tree_t *root) {
  if (root != NULL) {
    tree_free(root->left);
    tree_free(root->right);
    free(root);
  }
}

void tree_mirror(tree_t *root) {
  if (root == NULL) {
    return;
  }
  tree_t *kept = root->left;
  root->left = root->right;
  root->right = kept;
  tree_mirror(root->left);
  tree_mirror(root->right);
}

int tree_walk(const tree_t *root, int *keys, int written) {
  if (root == NULL) {
    return written;
  }
  written = tree_walk(root->left, keys, written);
  keys[written++] = root->key;
  return tree_walk(root->right, keys, written);
}
