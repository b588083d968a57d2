#include <assert.h>
#include <string.h>

int main(void) {
  char target[4] = "...";
  assert(copy_bounded(target, 4, "abc") && strcmp(target, "abc") == 0);
  assert(!copy_bounded(target, 4, "wxyz") && strcmp(target, "wxy") == 0);
  assert(!copy_bounded(target, 0, "q") && target[0] == 'w');
  return 0;
}
