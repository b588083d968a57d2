#include <assert.h>

int main(void) {
  struct date a = {2024, 2, 29};
  struct date b = {2024, 3, 1};
  struct date c = {2023, 12, 31};
  assert(compare_dates(&a, &b) < 0 && compare_dates(&b, &a) > 0);
  assert(compare_dates(&a, &c) > 0 && compare_dates(&a, &a) == 0);
  return 0;
}
