#include <assert.h>

static int add(int total, int item) { return total + item; }
static int largest(int total, int item) { return item > total ? item : total; }

int main(void) {
  int items[] = {4, 9, -2};
  assert(fold(items, 3, 10, add) == 21 && fold(items, 3, 0, largest) == 9);
  assert(fold(items, 0, 5, add) == 5);
  return 0;
}
