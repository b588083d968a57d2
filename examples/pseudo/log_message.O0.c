void log_message(int param_1, uint64_t param_2) {
  if (log_level <= param_1) {
    if (param_1 < 3) {
      fprintf(stderr, "note: %s\n", param_2);
    } else {
      fprintf(stderr, "error: %s\n", param_2);
    }
  }
  return;
}
