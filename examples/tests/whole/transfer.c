#include <assert.h>

int main(void) {
  struct account ann = {"Ann", 100};
  struct account bob = {"Bob", 5};
  assert(transfer(&ann, &bob, 40) && ann.balance == 60 && bob.balance == 45);
  assert(!transfer(&ann, &bob, 61) && !transfer(&ann, &ann, 1) &&
         bob.balance == 45);
  return 0;
}
