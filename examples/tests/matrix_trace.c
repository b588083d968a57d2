#include <assert.h>

int main(void) {
  int matrix[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  assert(matrix_trace(matrix, 3) == 15);
  assert(matrix_trace(matrix, 2) == 5);
  return 0;
}
