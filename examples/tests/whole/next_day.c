#include <assert.h>

int main(void) {
  struct date date = {2023, 12, 31};
  next_day(&date);
  assert(date.year == 2024 && date.month == 1 && date.day == 1);
  date = (struct date){2024, 2, 28};
  next_day(&date);
  assert(date.month == 2 && date.day == 29);
  return 0;
}
