#include <assert.h>

int main(void) {
  assert(roman_value("XIV") == 14 && roman_value("MCMXCIV") == 1994);
  assert(roman_value("") == 0);
  return 0;
}
