#include <assert.h>

int main(void) {
  assert(is_leap_year(2000) && is_leap_year(2024));
  assert(!is_leap_year(1900) && !is_leap_year(2023));
  return 0;
}
