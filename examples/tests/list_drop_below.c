#include <assert.h>
#include <stdlib.h>

int main(void) {
  struct node *head = NULL;
  for (int value = 1; value <= 4; value++) {
    struct node *added = malloc(sizeof(struct node));
    *added = (struct node){value, head};
    head = added;
  }
  assert(list_drop_below(&head, 3) == 2);
  assert(head->value == 4 && head->next->value == 3 &&
         head->next->next == NULL);
  return 0;
}
