#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

item_t *table_lookup(const table_t *table, const char *name) {
  item_t *item = table->buckets[hash_name(name) % BUCKETS];
  while (item != NULL && strcmp(item->name, name) != 0) {
    item = item->next;
  }
  return item;
}
