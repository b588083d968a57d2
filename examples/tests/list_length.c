#include <assert.h>
#include <stdlib.h>

int main(void) {
  struct node second = {7, NULL};
  struct node first = {3, &second};
  assert(list_length(&first) == 2 && list_length(NULL) == 0);
  return 0;
}
