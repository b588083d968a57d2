#include <assert.h>

int main(void) {
  assert(compare_versions("1.10", "1.9") > 0);
  assert(compare_versions("2.0.1", "2.0.1") == 0);
  assert(compare_versions("2", "2.0.1") < 0);
  return 0;
}
