#include <assert.h>
#include <stdlib.h>

int main(void) {
  tree_t small = {1, NULL, NULL};
  tree_t large = {9, NULL, NULL};
  tree_t root = {5, &small, &large};
  assert(tree_sum_between(&root, 1, 5) == 6 &&
         tree_sum_between(&root, 6, 20) == 9);
  assert(tree_sum_between(NULL, 0, 9) == 0);
  return 0;
}
