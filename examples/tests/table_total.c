#include <assert.h>
#include <stdlib.h>

int main(void) {
  item_t second = {"b", 20, NULL};
  item_t first = {"a", 5, &second};
  table_t table = {{0}, 2};
  table.buckets[3] = &first;
  assert(table_total(&table) == 25);
  return 0;
}
