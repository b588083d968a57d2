#include <assert.h>
#include <stdlib.h>

int main(void) {
  struct node d = {9, NULL};
  struct node c = {4, NULL};
  struct node b = {3, &d};
  struct node a = {1, &c};
  assert(list_merge(&a, &b) == &a && a.next == &b && b.next == &c &&
         c.next == &d);
  assert(list_merge(NULL, NULL) == NULL);
  return 0;
}
