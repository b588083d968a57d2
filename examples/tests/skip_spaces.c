#include <assert.h>

int main(void) {
  const char *text = " \t\nword";
  assert(skip_spaces(text) == text + 3);
  assert(*skip_spaces("   ") == '\0');
  return 0;
}
