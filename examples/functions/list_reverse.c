#include <stddef.h>

struct node {
  int value;
  struct node *next;
};

struct node *list_reverse(struct node *head) {
  struct node *reversed = NULL;
  while (head != NULL) {
    struct node *rest = head->next;
    head->next = reversed;
    reversed = head;
    head = rest;
  }
  return reversed;
}
