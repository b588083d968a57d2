#include <assert.h>

int main(void) {
  assert(parse_duration("90") == 90);
  assert(parse_duration("2h") == 7200 && parse_duration("3m") == 180);
  assert(parse_duration("1d") == 86400 && parse_duration("5s") == 5);
  assert(parse_duration("4x") == -1);
  return 0;
}
