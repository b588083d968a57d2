typedef unsigned long size_t;
void *memcpy(void *restrict, const void *restrict, size_t);
struct slot;
struct table;
struct slot { void *key; const void *value; };
struct table { int used; void *scratch; size_t value_size; };
struct slot *table_find(struct table *, void *);
