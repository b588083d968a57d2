#include <assert.h>
#include <stdlib.h>

int main(void) {
  struct node third = {3, NULL};
  struct node second = {2, &third};
  struct node first = {1, &second};
  assert(list_reverse(&first) == &third && third.next == &second &&
         second.next == &first);
  assert(first.next == NULL && list_reverse(NULL) == NULL);
  return 0;
}
