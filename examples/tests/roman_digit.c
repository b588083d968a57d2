#include <assert.h>

int main(void) {
  assert(roman_digit('I') == 1 && roman_digit('V') == 5 &&
         roman_digit('X') == 10);
  assert(roman_digit('L') == 50 && roman_digit('C') == 100 &&
         roman_digit('D') == 500);
  assert(roman_digit('M') == 1000 && roman_digit('A') == 0);
  return 0;
}
