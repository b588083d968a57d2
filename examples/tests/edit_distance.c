#include <assert.h>

int main(void) {
  assert(edit_distance("kitten", "sitting") == 3);
  assert(edit_distance("", "abc") == 3);
  assert(edit_distance("same", "same") == 0);
  return 0;
}
