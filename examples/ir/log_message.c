void log_message(int var1, const char *var2) {
  if (var1 < log_level) {
    return;
  }
  if (var1 >= 3) {
    fprintf(stderr, "error: %s\n", var2);
  } else {
    fprintf(stderr, "note: %s\n", var2);
  }
}
