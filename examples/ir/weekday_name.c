const char *weekday_name(int var1) {
  switch (var1) {
    case 0:
      return "Sunday";
    case 6:
      return "Saturday";
    default:
      return var1 > 0 && var1 < 6 ? "working day" : "unknown";
  }
}
