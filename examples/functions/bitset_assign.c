#include <stdbool.h>
#include <stdint.h>

struct bitset {
  uint32_t size;
  uint32_t *words;
};

bool bitset_assign(struct bitset *set, uint32_t index, bool on) {
  if (index >= set->size) {
    return false;
  }
  uint32_t mask = 1u << (index % 32);
  if (on) {
    set->words[index / 32] |= mask;
  } else {
    set->words[index / 32] &= ~mask;
  }
  return true;
}
