#include <assert.h>

int main(void) {
  assert(days_in_month(2, 2024) == 29 && days_in_month(2, 1900) == 28);
  assert(days_in_month(4, 2023) == 30 && days_in_month(12, 2023) == 31);
  return 0;
}
