#include <stdlib.h>

struct stack {
  int *items;
  int depth;
};

void report_error(const char *message);

int stack_pop(struct stack *stack) {
  if (stack->depth == 0) {
    report_error("the stack is empty");
    exit(1);
  }
  stack->depth--;
  return stack->items[stack->depth];
}
