#include <stdint.h>

struct slot {
  uint32_t key;
  int used;
};

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
