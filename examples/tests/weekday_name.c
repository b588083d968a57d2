#include <assert.h>
#include <string.h>

int main(void) {
  assert(strcmp(weekday_name(0), "Sunday") == 0 &&
         strcmp(weekday_name(6), "Saturday") == 0);
  assert(strcmp(weekday_name(3), "working day") == 0 &&
         strcmp(weekday_name(9), "unknown") == 0);
  return 0;
}
