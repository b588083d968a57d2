#include <stddef.h>

struct node {
  int value;
  struct node *next;
};

size_t list_length(const struct node *head) {
  size_t length = 0;
  while (head != NULL) {
    length++;
    head = head->next;
  }
  return length;
}
