#include <string.h>

struct setting {
  char *key;
  char *value;
};

int split_setting(char *line, struct setting *result) {
  char *equals = strchr(line, '=');
  if (equals == NULL || equals == line) {
    return -1;
  }
  *equals = '\0';
  result->key = line;
  result->value = equals + 1;
  return 0;
}
