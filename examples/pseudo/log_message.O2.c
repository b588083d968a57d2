void log_message(int param_1, uint64_t param_2) {
  if (param_1 < log_level) {
    return;
  }
  if (param_1 < 3) {
    fprintf(stderr, "note: %s\n", param_2);
    return;
  }
  fprintf(stderr, "error: %s\n", param_2);
  return;
}
