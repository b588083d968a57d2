#include <stdio.h>

extern int log_level;

void log_message(int level, const char *text) {
  if (level < log_level) {
    return;
  }
  if (level >= 3) {
    fprintf(stderr, "error: %s\n", text);
  } else {
    fprintf(stderr, "note: %s\n", text);
  }
}
