#include <assert.h>
#include <string.h>

int main(void) {
  assert(strcmp(status_text(200), "OK") == 0 &&
         strcmp(status_text(404), "Not found") == 0);
  assert(strcmp(status_text(418), "Error") == 0 &&
         strcmp(status_text(100), "Unknown") == 0);
  return 0;
}
