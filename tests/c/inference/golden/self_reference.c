int tree_depth(struct node *root) {
  if (root == NULL) return 0;
  int left = tree_depth(root->left);
  int right = tree_depth(root->right);
  return (left > right ? left : right) + 1;
}
