#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct setting {
  char *key;
  char *value;
};

int hex_digit(char digit) {
  if (digit >= '0' && digit <= '9') {
    return digit - '0';
  }
  if (digit >= 'a' && digit <= 'f') {
    return digit - 'a' + 10;
  }
  if (digit >= 'A' && digit <= 'F') {
    return digit - 'A' + 10;
  }
  return -1;
}

bool parse_unsigned(const char *text, unsigned int *number) {
  unsigned int total = 0;
  if (*text == '\0') {
    return false;
  }
  while (*text >= '0' && *text <= '9') {
    total = total * 10 + (unsigned int)(*text++ - '0');
  }
  *number = total;
  return *text == '\0';
}

long parse_duration(const char *text) {
  char *unit;
  long amount = strtol(text, &unit, 10);
  switch (*unit) {
    case 'd':
      return amount * 86400;
    case 'h':
      return amount * 3600;
    case 'm':
      return amount * 60;
    case 's':
    case '\0':
      return amount;
    default:
      return -1;
  }
}

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

long parse_signed(const char *text, const char **end) {
  bool negative = *text == '-';
  long value = 0;
  if (*text == '-' || *text == '+') {
    text++;
  }
  while (*text >= '0' && *text <= '9') {
    value = value * 10 + (*text - '0');
    text++;
  }
  *end = text;
  return negative ? -value : value;
}

bool parse_ipv4(const char *text, uint32_t *address) {
  uint32_t result = 0;
  for (int part = 0; part < 4; part++) {
    int value = 0;
    int digits = 0;
    while (isdigit((unsigned char)*text) && digits < 4) {
      value = value * 10 + (*text++ - '0');
      digits++;
    }
    if (digits == 0 || value > 255 || *text++ != (part < 3 ? '.' : '\0')) {
      return false;
    }
    result = result << 8 | (uint32_t)value;
  }
  *address = result;
  return true;
}

int parse_switch(const char *word) {
  if (strcmp(word, "on") == 0 || strcmp(word, "yes") == 0 ||
      strcmp(word, "true") == 0) {
    return 1;
  }
  if (strcmp(word, "off") == 0 || strcmp(word, "no") == 0 ||
      strcmp(word, "false") == 0) {
    return 0;
  }
  return -1;
}

char *next_token(char **cursor, const char *separators) {
  char *start = *cursor + strspn(*cursor, separators);
  if (*start == '\0') {
    return NULL;
  }
  char *end = start + strcspn(start, separators);
  if (*end != '\0') {
    *end++ = '\0';
  }
  *cursor = end;
  return start;
}

bool match_pattern(const char *pattern, const char *text) {
  if (*pattern == '\0') {
    return *text == '\0';
  }
  if (*pattern == '*') {
    return match_pattern(pattern + 1, text) ||
           (*text != '\0' && match_pattern(pattern, text + 1));
  }
  if (*text != '\0' && (*pattern == '?' || *pattern == *text)) {
    return match_pattern(pattern + 1, text + 1);
  }
  return false;
}

bool brackets_match(const char *text) {
  char open[64];
  int depth = 0;
  for (; *text != '\0'; text++) {
    if (*text == '(' || *text == '[') {
      if (depth == 64) {
        return false;
      }
      open[depth++] = *text;
    } else if (*text == ')' || *text == ']') {
      char wanted = *text == ')' ? '(' : '[';
      if (depth == 0 || open[--depth] != wanted) {
        return false;
      }
    }
  }
  return depth == 0;
}

int roman_digit(char symbol) {
  switch (symbol) {
    case 'I':
      return 1;
    case 'V':
      return 5;
    case 'X':
      return 10;
    case 'L':
      return 50;
    case 'C':
      return 100;
    case 'D':
      return 500;
    case 'M':
      return 1000;
    default:
      return 0;
  }
}

int roman_value(const char *numeral) {
  int total = 0;
  int previous = 0;
  for (int i = (int)strlen(numeral) - 1; i >= 0; i--) {
    int value = roman_digit(numeral[i]);
    total += value < previous ? -value : value;
    previous = value;
  }
  return total;
}

int compare_versions(const char *left, const char *right) {
  while (*left != '\0' || *right != '\0') {
    char *left_end;
    char *right_end;
    long a = strtol(left, &left_end, 10);
    long b = strtol(right, &right_end, 10);
    if (a != b) {
      return a < b ? -1 : 1;
    }
    left = *left_end == '.' ? left_end + 1 : left_end;
    right = *right_end == '.' ? right_end + 1 : right_end;
    if (left == left_end && right == right_end) {
      break;
    }
  }
  return 0;
}

int calculate(const char *postfix) {
  int stack[16];
  int depth = 0;
  for (; *postfix != '\0'; postfix++) {
    if (*postfix >= '0' && *postfix <= '9' && depth < 16) {
      stack[depth++] = *postfix - '0';
    } else if (depth >= 2) {
      int right = stack[--depth];
      int left = stack[depth - 1];
      if (*postfix == '+') {
        stack[depth - 1] = left + right;
      } else if (*postfix == '-') {
        stack[depth - 1] = left - right;
      } else if (*postfix == '*') {
        stack[depth - 1] = left * right;
      }
    }
  }
  return depth > 0 ? stack[depth - 1] : 0;
}
