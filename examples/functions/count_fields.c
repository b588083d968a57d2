int count_fields(const char *row, char separator) {
  int fields = 1;
  int quoted = 0;
  for (; *row != '\0'; row++) {
    if (*row == '"') {
      quoted = !quoted;
    } else if (*row == separator && !quoted) {
      fields++;
    }
  }
  return fields;
}
