#include <assert.h>

int main(void) {
  assert(count_fields("a,b,c", ',') == 3);
  assert(count_fields("\"a,b\",c", ',') == 2);
  assert(count_fields("", ';') == 1);
  return 0;
}
