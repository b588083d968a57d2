#include <assert.h>
#include <stdlib.h>

int main(void) {
  struct node second = {2000000000, NULL};
  struct node first = {2000000000, &second};
  assert(list_sum(&first) == 4000000000 && list_sum(NULL) == 0);
  return 0;
}
