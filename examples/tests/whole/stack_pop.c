#include <assert.h>

int main(void) {
  int items[] = {4, 7};
  struct stack stack = {items, 2};
  assert(stack_pop(&stack) == 7 && stack_pop(&stack) == 4 && stack.depth == 0);
  return 0;
}
