#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  struct buffer buffer = {NULL, 0, 0};
  assert(buffer_append(&buffer, "abc", 3) && buffer.length == 3 &&
         buffer.room == 6);
  assert(buffer_append(&buffer, "def", 3) && buffer.room == 6);
  assert(memcmp(buffer.bytes, "abcdef", 6) == 0);
  return 0;
}
