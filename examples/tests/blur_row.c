#include <assert.h>

int main(void) {
  unsigned char pixels[] = {0, 100, 200};
  unsigned char blurred[3];
  blur_row(pixels, blurred, 3);
  assert(blurred[0] == 25 && blurred[1] == 100 && blurred[2] == 175);
  return 0;
}
