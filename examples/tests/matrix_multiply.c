#include <assert.h>

int main(void) {
  int left[] = {1, 2, 3, 4};
  int right[] = {5, 6, 7, 8};
  int product[4];
  matrix_multiply(left, right, product, 2);
  assert(product[0] == 19 && product[1] == 22 && product[2] == 43 &&
         product[3] == 50);
  return 0;
}
