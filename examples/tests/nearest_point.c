#include <assert.h>

int main(void) {
  struct point points[] = {{0, 0}, {5, 5}, {2, 1}};
  assert(nearest_point(points, 3, 2.5, 1.0) == 2);
  assert(nearest_point(points, 3, 9.0, 9.0) == 1);
  assert(nearest_point(points, 0, 9.0, 9.0) == -1);
  return 0;
}
