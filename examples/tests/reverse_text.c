#include <assert.h>
#include <string.h>

int main(void) {
  char text[] = "abcd";
  assert(strcmp(reverse_text(text), "dcba") == 0);
  char odd[] = "abc";
  assert(strcmp(reverse_text(odd), "cba") == 0);
  return 0;
}
