#include <assert.h>

int main(void) {
  struct account accounts[] = {{"a", 5}, {"b", 50}, {"c", 50}};
  assert(richest(accounts, 3) == 1 && richest(accounts, 0) == -1);
  return 0;
}
