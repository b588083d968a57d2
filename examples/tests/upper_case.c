#include <assert.h>
#include <string.h>

int main(void) {
  char text[] = "Mixed 9 case";
  upper_case(text);
  assert(strcmp(text, "MIXED 9 CASE") == 0);
  return 0;
}
