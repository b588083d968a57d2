#include <assert.h>
#include <string.h>

int main(void) {
  uint8_t bytes[] = {0x00, 0x9f, 0xff};
  char text[7];
  hex_encode(bytes, 3, text);
  assert(strcmp(text, "009fff") == 0);
  return 0;
}
