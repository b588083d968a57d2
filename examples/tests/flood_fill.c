#include <assert.h>

int main(void) {
  unsigned char cells[] = {0, 0, 1, 0, 1, 0, 1, 0, 0};
  assert(flood_fill(cells, 3, 3, 0, 0, 7) == 3);
  assert(cells[0] == 7 && cells[1] == 7 && cells[3] == 7 && cells[5] == 0);
  assert(flood_fill(cells, 3, 3, -1, 0, 7) == 0);
  return 0;
}
