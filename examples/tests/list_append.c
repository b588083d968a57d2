#include <assert.h>
#include <stdlib.h>

int main(void) {
  struct node *head = NULL;
  struct node first = {1, NULL};
  struct node second = {2, &first};
  list_append(&head, &first);
  list_append(&head, &second);
  assert(head == &first && first.next == &second && second.next == NULL);
  return 0;
}
