#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

struct node *list_push(struct node *head, int value) {
  struct node *added = malloc(sizeof(struct node));
  if (added == NULL) {
    return head;
  }
  added->value = value;
  added->next = head;
  return added;
}
