int table_insert(struct table *table, void *key, const void *value) {
  struct slot *slot = table_find(table, key);
  if (slot->key) return 0;
  slot->key = key;
  slot->value = value;
  table->used += 1;
  memcpy(table->scratch, value, table->value_size);
  return 1;
}
