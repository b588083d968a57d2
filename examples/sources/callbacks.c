#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef int (*combine_t)(int total, int item);
typedef bool (*predicate_t)(int item);

struct command {
  const char *name;
  int (*run)(int argument);
};

struct timer {
  unsigned long due;
  void (*fire)(void *context);
  void *context;
};

int fold(const int *items, int count, int start, combine_t combine) {
  int total = start;
  for (int i = 0; i < count; i++) {
    total = combine(total, items[i]);
  }
  return total;
}

int keep_if(int *items, int count, predicate_t keep) {
  int kept = 0;
  for (int i = 0; i < count; i++) {
    if (keep(items[i])) {
      items[kept++] = items[i];
    }
  }
  return kept;
}

int dispatch(const struct command *commands, const char *name, int argument) {
  for (; commands->name != NULL; commands++) {
    if (strcmp(commands->name, name) == 0) {
      return commands->run(argument);
    }
  }
  return -1;
}

int fire_due(struct timer *timers, int count, unsigned long now) {
  int fired = 0;
  for (int i = 0; i < count; i++) {
    struct timer *timer = &timers[i];
    if (timer->fire != NULL && timer->due <= now) {
      timer->fire(timer->context);
      timer->fire = NULL;
      fired++;
    }
  }
  return fired;
}

int compare_longs(const void *left, const void *right) {
  long a = *(const long *)left;
  long b = *(const long *)right;
  return (a > b) - (a < b);
}

long median(long *values, size_t count) {
  qsort(values, count, sizeof(long), compare_longs);
  return values[count / 2];
}

void *find_record(void *records, size_t count, size_t size, const void *key,
                  size_t key_size) {
  char *record = records;
  for (size_t i = 0; i < count; i++) {
    if (memcmp(record, key, key_size) == 0) {
      return record;
    }
    record += size;
  }
  return NULL;
}

int bisect(int (*curve)(int), int low, int high) {
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (curve(middle) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
