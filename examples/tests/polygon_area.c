#include <assert.h>

int main(void) {
  struct point corners[] = {{0, 0}, {4, 0}, {4, 3}, {0, 3}};
  assert(polygon_area(corners, 4) == 12.0);
  assert(polygon_area(corners, 3) == 6.0);
  return 0;
}
