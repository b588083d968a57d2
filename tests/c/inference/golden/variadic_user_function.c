int report_all(const struct failure *failures, int count) {
  log_line(LOG_LEVEL_INFO, "start");
  for (int i = 0; i < count; i++)
    log_line(failures[i].level, "%s: %d (%f)", failures[i].text, failures[i].code,
             failures[i].weight);
  return log_line(LOG_LEVEL_INFO, "%d failures", count);
}
