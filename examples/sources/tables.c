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

struct slot {
  uint32_t key;
  int used;
};

uint32_t hash_text(const char *text) {
  uint32_t hash = 0;
  for (; *text != '\0'; text++) {
    hash = 31 * hash + (uint8_t)*text;
  }
  return hash;
}

void table_insert(table_t *table, item_t *item) {
  uint32_t slot = hash_text(item->name) % BUCKETS;
  item->next = table->buckets[slot];
  table->buckets[slot] = item;
  table->count++;
}

item_t *table_lookup(const table_t *table, const char *name) {
  item_t *item = table->buckets[hash_text(name) % BUCKETS];
  while (item != NULL && strcmp(item->name, name) != 0) {
    item = item->next;
  }
  return item;
}

int probe_slot(const struct slot *slots, uint32_t capacity, uint32_t key) {
  uint32_t index = key % capacity;
  for (uint32_t tries = 0; tries < capacity; tries++) {
    if (!slots[index].used || slots[index].key == key) {
      return (int)index;
    }
    index = (index + 1) % capacity;
  }
  return -1;
}

int table_total(const table_t *table) {
  int total = 0;
  for (int slot = 0; slot < BUCKETS; slot++) {
    for (const item_t *item = table->buckets[slot]; item != NULL;
         item = item->next) {
      total += item->price;
    }
  }
  return total;
}

size_t longest_chain(const table_t *table) {
  size_t longest = 0;
  for (int slot = 0; slot < BUCKETS; slot++) {
    size_t length = 0;
    const item_t *item = table->buckets[slot];
    while (item != NULL) {
      length++;
      item = item->next;
    }
    longest = length > longest ? length : longest;
  }
  return longest;
}

int claim_slot(struct slot *slots, uint32_t capacity, uint32_t key) {
  int index = probe_slot(slots, capacity, key);
  if (index < 0) {
    return -1;
  }
  if (slots[index].used) {
    return 0;
  }
  slots[index].key = key;
  slots[index].used = 1;
  return 1;
}
