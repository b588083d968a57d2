#include <assert.h>
#include <stdlib.h>

int main(void) {
  item_t second = {"b", 20, NULL};
  item_t first = {"a", 5, &second};
  item_t alone = {"c", 1, NULL};
  table_t table = {{0}, 3};
  assert(longest_chain(&table) == 0);
  table.buckets[3] = &first;
  table.buckets[60] = &alone;
  assert(longest_chain(&table) == 2);
  return 0;
}
