#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define LETTERS 26

void count_letters(const char *text, unsigned int counts[LETTERS]) {
  for (; *text; text++) {
    int letter = *text - 'a';
    if (letter >= 0 && letter < LETTERS) {
      counts[letter]++;
    }
  }
}

int count_words(const char *text) {
  int words = 0;
  bool inside = false;
  for (; *text != '\0'; text++) {
    if (*text == ' ' || *text == '\n' || *text == '\t') {
      inside = false;
    } else if (!inside) {
      inside = true;
      words++;
    }
  }
  return words;
}

bool starts_with(const char *text, const char *prefix) {
  while (*prefix != '\0') {
    if (*text++ != *prefix++) {
      return false;
    }
  }
  return true;
}

char *reverse_text(char *text) {
  size_t left = 0;
  size_t right = strlen(text);
  while (left + 1 < right) {
    char swapped = text[left];
    text[left++] = text[--right];
    text[right] = swapped;
  }
  return text;
}

void trim_right(char *text) {
  size_t length = strlen(text);
  while (length > 0 && isspace((unsigned char)text[length - 1])) {
    length--;
  }
  text[length] = '\0';
}

size_t utf8_length(const char *text) {
  size_t length = 0;
  for (; *text != '\0'; text++) {
    if ((*text & 0xc0) != 0x80) {
      length++;
    }
  }
  return length;
}

bool ends_with(const char *text, const char *suffix) {
  size_t length = strlen(text);
  size_t wanted = strlen(suffix);
  return wanted <= length &&
         memcmp(text + length - wanted, suffix, wanted) == 0;
}

void upper_case(char *text) {
  for (; *text != '\0'; text++) {
    *text = (char)toupper((unsigned char)*text);
  }
}

bool is_palindrome(const char *text) {
  size_t left = 0;
  size_t right = strlen(text);
  while (left < right) {
    right--;
    if (tolower((unsigned char)text[left]) !=
        tolower((unsigned char)text[right])) {
      return false;
    }
    left++;
  }
  return true;
}

int replace_char(char *text, char old, char fresh) {
  int replaced = 0;
  char *found = strchr(text, old);
  while (found != NULL) {
    *found = fresh;
    replaced++;
    found = strchr(found + 1, old);
  }
  return replaced;
}

const char *skip_spaces(const char *text) {
  while (*text == ' ' || *text == '\t' || *text == '\n') {
    text++;
  }
  return text;
}

int compare_ignoring_case(const char *left, const char *right) {
  while (*left != '\0' &&
         tolower((unsigned char)*left) == tolower((unsigned char)*right)) {
    left++;
    right++;
  }
  return tolower((unsigned char)*left) - tolower((unsigned char)*right);
}

size_t squeeze_spaces(char *text) {
  char *target = text;
  bool spaced = false;
  for (const char *source = text; *source != '\0'; source++) {
    if (*source != ' ') {
      *target++ = *source;
      spaced = false;
    } else if (!spaced) {
      *target++ = ' ';
      spaced = true;
    }
  }
  *target = '\0';
  return (size_t)(target - text);
}

size_t common_prefix(const char *left, const char *right) {
  size_t length = 0;
  while (left[length] != '\0' && left[length] == right[length]) {
    length++;
  }
  return length;
}

void caesar(char *text, int shift) {
  shift = (shift % 26 + 26) % 26;
  for (int i = 0; text[i] != '\0'; i++) {
    char letter = text[i];
    if (letter >= 'a' && letter <= 'z') {
      text[i] = (char)('a' + (letter - 'a' + shift) % 26);
    } else if (letter >= 'A' && letter <= 'Z') {
      text[i] = (char)('A' + (letter - 'A' + shift) % 26);
    }
  }
}

int count_vowels(const char *text) {
  int vowels = 0;
  for (; *text != '\0'; text++) {
    switch (*text) {
      case 'a':
      case 'e':
      case 'i':
      case 'o':
      case 'u':
        vowels++;
        break;
      default:
        break;
    }
  }
  return vowels;
}

bool copy_bounded(char *target, size_t size, const char *source) {
  size_t length = strlen(source);
  if (size == 0) {
    return false;
  }
  if (length >= size) {
    memcpy(target, source, size - 1);
    target[size - 1] = '\0';
    return false;
  }
  memcpy(target, source, length + 1);
  return true;
}

bool are_anagrams(const char *left, const char *right) {
  int counts[26] = {0};
  for (; *left != '\0'; left++) {
    counts[*left - 'a']++;
  }
  for (; *right != '\0'; right++) {
    counts[*right - 'a']--;
  }
  for (int letter = 0; letter < 26; letter++) {
    if (counts[letter] != 0) {
      return false;
    }
  }
  return true;
}

const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

int edit_distance(const char *left, const char *right) {
  int costs[32];
  int width = (int)strlen(right);
  if (width > 31) {
    return -1;
  }
  for (int i = 0; i <= width; i++) {
    costs[i] = i;
  }
  for (int row = 1; left[row - 1] != '\0'; row++) {
    int diagonal = costs[0];
    costs[0] = row;
    for (int i = 1; i <= width; i++) {
      int cost = diagonal + (left[row - 1] != right[i - 1]);
      diagonal = costs[i];
      if (costs[i] + 1 < cost) {
        cost = costs[i] + 1;
      }
      if (costs[i - 1] + 1 < cost) {
        cost = costs[i - 1] + 1;
      }
      costs[i] = cost;
    }
  }
  return costs[width];
}
