#include <assert.h>
#include <stdlib.h>

int main(void) {
  entry_t *head = malloc(sizeof(entry_t));
  *head = (entry_t){4, malloc(1), NULL};
  assert(list_remove(&head, 9) == 0 && head != NULL);
  assert(list_remove(&head, 4) == 1 && head == NULL);
  return 0;
}
