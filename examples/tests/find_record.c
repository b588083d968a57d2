#include <assert.h>
#include <stdlib.h>

int main(void) {
  int records[] = {1, 10, 2, 20, 3, 30};
  int key = 2;
  assert(find_record(records, 3, 2 * sizeof(int), &key, sizeof key) ==
         &records[2]);
  key = 9;
  assert(find_record(records, 3, 2 * sizeof(int), &key, sizeof key) == NULL);
  return 0;
}
