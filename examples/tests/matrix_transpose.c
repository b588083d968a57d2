#include <assert.h>

int main(void) {
  double matrix[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  matrix_transpose(matrix, 3);
  assert(matrix[1] == 4 && matrix[3] == 2 && matrix[5] == 8 && matrix[8] == 9);
  return 0;
}
