#include <assert.h>
#include <stdlib.h>

int main(void) {
  struct node second = {2, NULL};
  struct node first = {1, &second};
  assert(list_nth(&first, 0) == &first && list_nth(&first, 1) == &second);
  assert(list_nth(&first, 2) == NULL);
  return 0;
}
