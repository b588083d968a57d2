#include <assert.h>

int main(void) {
  unsigned char cells[SIDE][SIDE] = {{1, 1, 0}, {1, 1, 1}, {0, 1, 0}};
  assert(live_neighbours(cells, 1, 1) == 5);
  assert(live_neighbours(cells, 0, 0) == 3);
  assert(live_neighbours(cells, 7, 7) == 0);
  return 0;
}
