#include <assert.h>
#include <stdlib.h>

int main(void) {
  struct buffer buffer = {malloc(4), 3, 4};
  buffer_release(&buffer);
  assert(buffer.bytes == NULL && buffer.length == 0 && buffer.room == 0);
  return 0;
}
