#include <assert.h>
#include <stdlib.h>

int main(void) {
  item_t plum = {"plum", 4, NULL};
  item_t pear = {"pear", 3, &plum};
  table_t table = {{0}, 2};
  for (int bucket = 0; bucket < BUCKETS; bucket++) {
    table.buckets[bucket] = &pear;
  }
  assert(table_lookup(&table, "plum") == &plum);
  assert(table_lookup(&table, "pear") == &pear &&
         table_lookup(&table, "fig") == NULL);
  return 0;
}
