#include <assert.h>
#include <stdlib.h>

static int twice(int argument) { return 2 * argument; }
static int square(int argument) { return argument * argument; }

int main(void) {
  struct command commands[] = {
      {"twice", twice}, {"square", square}, {NULL, NULL}};
  assert(dispatch(commands, "square", 7) == 49 &&
         dispatch(commands, "twice", 7) == 14);
  assert(dispatch(commands, "cube", 7) == -1);
  return 0;
}
