#include <assert.h>
#include <string.h>

int main(void) {
  char line[] = "colour=red=blue";
  struct setting setting;
  assert(split_setting(line, &setting) == 0);
  assert(strcmp(setting.key, "colour") == 0 &&
         strcmp(setting.value, "red=blue") == 0);
  char empty[] = "=value";
  assert(split_setting(empty, &setting) == -1);
  return 0;
}
