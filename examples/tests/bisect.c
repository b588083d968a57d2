#include <assert.h>
#include <ctype.h>
#include <stdlib.h>

int main(void) {
  assert(bisect(abs, -5, 5) == -5);
  assert(bisect(toupper, 0, 9) == 0);
  return 0;
}
