#include <assert.h>
#include <stdlib.h>

int main(void) {
  struct node *head = list_push(NULL, 4);
  head = list_push(head, 5);
  assert(head->value == 5 && head->next->value == 4 &&
         head->next->next == NULL);
  return 0;
}
