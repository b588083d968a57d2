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
