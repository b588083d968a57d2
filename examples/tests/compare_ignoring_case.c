#include <assert.h>

int main(void) {
  assert(compare_ignoring_case("HeLLo", "hEllO") == 0);
  assert(compare_ignoring_case("abc", "ABX") < 0);
  assert(compare_ignoring_case("abc", "ab") > 0);
  return 0;
}
