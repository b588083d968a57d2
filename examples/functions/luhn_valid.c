#include <stdbool.h>

bool luhn_valid(const char *digits, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++) {
    int digit = digits[count - 1 - i] - '0';
    if (i % 2 == 1) {
      digit *= 2;
      if (digit > 9) {
        digit -= 9;
      }
    }
    sum += digit;
  }
  return sum % 10 == 0;
}
