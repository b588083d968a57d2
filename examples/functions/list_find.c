#include <stddef.h>

struct node {
  int value;
  struct node *next;
};

struct node *list_find(struct node *head, int value) {
  while (head != NULL && head->value != value) {
    head = head->next;
  }
  return head;
}
