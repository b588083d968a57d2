int is_leap_year(int year) {
  if (year % 400 == 0) {
    return 1;
  }
  return year % 4 == 0 && year % 100 != 0;
}
