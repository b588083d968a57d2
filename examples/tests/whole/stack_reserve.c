#include <assert.h>
#include <stdlib.h>

int main(void) {
  struct stack stack = {NULL, 0};
  assert(stack_reserve(&stack, 8) && stack.items != NULL);
  stack.items[7] = 3;
  assert(stack_reserve(&stack, 16) && stack.items[7] == 3);
  return 0;
}
