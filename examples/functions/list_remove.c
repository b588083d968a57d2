#include <stdlib.h>

typedef struct entry {
  int id;
  char *label;
  struct entry *next;
} entry_t;

int list_remove(entry_t **link, int id) {
  for (; *link != NULL; link = &(*link)->next) {
    if ((*link)->id == id) {
      entry_t *removed = *link;
      *link = removed->next;
      free(removed->label);
      free(removed);
      return 1;
    }
  }
  return 0;
}
