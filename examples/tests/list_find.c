#include <assert.h>
#include <stdlib.h>

int main(void) {
  struct node second = {7, NULL};
  struct node first = {3, &second};
  assert(list_find(&first, 7) == &second && list_find(&first, 3) == &first);
  assert(list_find(&first, 9) == NULL && list_find(NULL, 1) == NULL);
  return 0;
}
