long parse_duration(const char *var1) {
  char *var2;
  long var3 = strtol(var1, &var2, 10);
  switch (*var2) {
    case 'd':
      return var3 * 86400;
    case 'h':
      return var3 * 3600;
    case 'm':
      return var3 * 60;
    case 's':
    case '\0':
      return var3;
    default:
      return -1;
  }
}
