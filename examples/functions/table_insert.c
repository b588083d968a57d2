#include <stddef.h>
#include <stdint.h>

#define BUCKETS 64

typedef struct item {
  const char *name;
  int price;
  struct item *next;
} item_t;

typedef struct {
  item_t *buckets[BUCKETS];
  size_t count;
} table_t;

uint32_t hash_name(const char *name);

void table_insert(table_t *table, item_t *item) {
  uint32_t slot = hash_name(item->name) % BUCKETS;
  item->next = table->buckets[slot];
  table->buckets[slot] = item;
  table->count++;
}
