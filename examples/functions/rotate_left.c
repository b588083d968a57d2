#include <stddef.h>

void reverse_range(int *items, size_t from, size_t to);

void rotate_left(int *items, size_t count, size_t steps) {
  if (count < 2) {
    return;
  }
  steps %= count;
  reverse_range(items, 0, steps);
  reverse_range(items, steps, count);
  reverse_range(items, 0, count);
}
