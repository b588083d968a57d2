#include <assert.h>
#include <stdlib.h>

int main(void) {
  struct node second = {2, NULL};
  struct node first = {1, &second};
  assert(!list_has_cycle(&first) && !list_has_cycle(NULL));
  second.next = &first;
  assert(list_has_cycle(&first));
  return 0;
}
