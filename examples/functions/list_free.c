#include <stdlib.h>

typedef struct entry {
  int id;
  char *label;
  struct entry *next;
} entry_t;

void list_free(entry_t *head) {
  while (head) {
    entry_t *next = head->next;
    free(head->label);
    free(head);
    head = next;
  }
}
