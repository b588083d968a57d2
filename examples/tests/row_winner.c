#include <assert.h>

int main(void) {
  assert(row_winner("xx ooox  ") == 'o');
  assert(row_winner("   x xx o") == 0);
  return 0;
}
