#include <stddef.h>

size_t remove_duplicates(int *sorted, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) {
    if (kept == 0 || sorted[kept - 1] != sorted[i]) {
      sorted[kept++] = sorted[i];
    }
  }
  return kept;
}
