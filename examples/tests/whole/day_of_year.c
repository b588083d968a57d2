#include <assert.h>

int main(void) {
  assert(day_of_year(1, 1, 2023) == 1 && day_of_year(31, 12, 2023) == 365);
  assert(day_of_year(1, 3, 2024) == 61);
  return 0;
}
