int next_id(void) {
  static int last = FIRST_ID;
  static pool_t *pool;
  if (pool == NULL) pool = pool_open("ids", O_RDONLY);
  do {
    last = (last + 1) % pool->limit;
  } while (pool->taken[last]);
  return last;
}
