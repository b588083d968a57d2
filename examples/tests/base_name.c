#include <assert.h>
#include <string.h>

int main(void) {
  assert(strcmp(base_name("/usr/bin/cc"), "cc") == 0);
  assert(strcmp(base_name("plain"), "plain") == 0);
  assert(strcmp(base_name("dir/"), "") == 0);
  return 0;
}
