#include <assert.h>
#include <stdlib.h>

int main(void) {
  uint8_t memory[32];
  struct pool pool = {memory, 32, 0};
  assert(pool_take(&pool, 5) == memory && pool_take(&pool, 8) == memory + 8);
  assert(pool_take(&pool, 17) == NULL && pool_take(&pool, 16) == memory + 16);
  return 0;
}
