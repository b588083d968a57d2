#include <assert.h>

int main(void) {
  assert(weekday_of(1, 1, 2000) == 6);
  assert(weekday_of(29, 2, 2024) == 4);
  assert(weekday_of(4, 7, 1776) == 4);
  return 0;
}
