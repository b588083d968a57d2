#include <assert.h>
#include <stdlib.h>

int main(void) {
  int **grid = grid_new(3, 2);
  assert(grid != NULL && grid[0] != grid[1]);
  assert(grid[1][0] == 0 && grid[1][2] == 0);
  return 0;
}
