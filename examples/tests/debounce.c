#include <assert.h>

int main(void) {
  struct button button = {0, false};
  for (int i = 0; i < 7; i++) {
    assert(!debounce(&button, true));
  }
  assert(debounce(&button, true) && debounce(&button, false));
  return 0;
}
