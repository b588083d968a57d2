struct date {
  int year;
  int month;
  int day;
};

int is_leap_year(int year) {
  if (year % 400 == 0) {
    return 1;
  }
  return year % 4 == 0 && year % 100 != 0;
}

int days_in_month(int month, int year) {
  switch (month) {
    case 2:
      return is_leap_year(year) ? 29 : 28;
    case 4:
    case 6:
    case 9:
    case 11:
      return 30;
    default:
      return 31;
  }
}

const char *weekday_name(int day) {
  switch (day) {
    case 0:
      return "Sunday";
    case 6:
      return "Saturday";
    default:
      return day > 0 && day < 6 ? "working day" : "unknown";
  }
}

int day_of_year(int day, int month, int year) {
  int total = day;
  for (int passed = 1; passed < month; passed++) {
    total += days_in_month(passed, year);
  }
  return total;
}

int weekday_of(int day, int month, int year) {
  static const char shifts[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
  if (month < 3) {
    year--;
  }
  return (year + year / 4 - year / 100 + year / 400 + shifts[month - 1] + day) %
         7;
}

int compare_dates(const struct date *left, const struct date *right) {
  if (left->year != right->year) {
    return left->year < right->year ? -1 : 1;
  }
  if (left->month != right->month) {
    return left->month < right->month ? -1 : 1;
  }
  return (left->day > right->day) - (left->day < right->day);
}

void next_day(struct date *date) {
  if (date->day < days_in_month(date->month, date->year)) {
    date->day++;
    return;
  }
  date->day = 1;
  if (++date->month > 12) {
    date->month = 1;
    date->year++;
  }
}

long days_since_epoch(int year, int month, int day) {
  long days = day - 1;
  for (int passed = 1970; passed < year; passed++) {
    days += is_leap_year(passed) ? 366 : 365;
  }
  for (int passed = 1; passed < month; passed++) {
    days += days_in_month(passed, year);
  }
  return days;
}

int quarter_of(int month) {
  if (month < 1 || month > 12) {
    return 0;
  }
  return (month - 1) / 3 + 1;
}
