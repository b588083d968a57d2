#include <assert.h>

int main(void) {
  assert(parse_switch("on") == 1 && parse_switch("yes") == 1 &&
         parse_switch("true") == 1);
  assert(parse_switch("off") == 0 && parse_switch("no") == 0 &&
         parse_switch("false") == 0);
  assert(parse_switch("maybe") == -1);
  return 0;
}
