#include <assert.h>
#include <stdlib.h>

int main(void) {
  struct node large = {9, NULL};
  struct node small = {1, &large};
  struct node middle = {5, NULL};
  struct node *head = &small;
  list_insert_sorted(&head, &middle);
  assert(head == &small && small.next == &middle && middle.next == &large);
  return 0;
}
