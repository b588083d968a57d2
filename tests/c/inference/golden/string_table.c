int month_number(const char *text) {
  for (int i = 0; month_names[i] != NULL; i++) {
    if (strncasecmp(text, month_names[i], 3) == 0) return i + 1;
  }
  fprintf(stderr, "no such month: %s\n", text);
  return 0;
}
