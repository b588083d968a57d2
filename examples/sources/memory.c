#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct buffer {
  char *bytes;
  size_t length;
  size_t room;
};

struct pool {
  uint8_t *memory;
  size_t size;
  size_t used;
};

bool buffer_append(struct buffer *buffer, const char *bytes, size_t count) {
  if (buffer->length + count > buffer->room) {
    size_t room = 2 * (buffer->length + count);
    char *moved = realloc(buffer->bytes, room);
    if (moved == NULL) {
      return false;
    }
    buffer->bytes = moved;
    buffer->room = room;
  }
  memcpy(buffer->bytes + buffer->length, bytes, count);
  buffer->length += count;
  return true;
}

void buffer_release(struct buffer *buffer) {
  free(buffer->bytes);
  buffer->bytes = NULL;
  buffer->length = 0;
  buffer->room = 0;
}

void *pool_take(struct pool *pool, size_t size) {
  size_t start = (pool->used + 7) & ~(size_t)7;
  if (size > pool->size || start > pool->size - size) {
    return NULL;
  }
  pool->used = start + size;
  return pool->memory + start;
}

char *duplicate(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy != NULL) {
    memcpy(copy, text, size);
  }
  return copy;
}

char *join(const char *left, const char *right, char separator) {
  size_t first = strlen(left);
  size_t second = strlen(right);
  char *joined = malloc(first + second + 2);
  if (joined == NULL) {
    return NULL;
  }
  memcpy(joined, left, first);
  joined[first] = separator;
  memcpy(joined + first + 1, right, second + 1);
  return joined;
}

int **grid_new(int width, int height) {
  int **rows = calloc((size_t)height, sizeof(int *));
  for (int i = 0; rows != NULL && i < height; i++) {
    rows[i] = calloc((size_t)width, sizeof(int));
    if (rows[i] == NULL) {
      while (i-- > 0) {
        free(rows[i]);
      }
      free(rows);
      return NULL;
    }
  }
  return rows;
}

void move_bytes(uint8_t *target, const uint8_t *source, size_t count) {
  if (target < source) {
    for (size_t i = 0; i < count; i++) {
      target[i] = source[i];
    }
  } else {
    while (count-- > 0) {
      target[count] = source[count];
    }
  }
}

int first_difference(const uint8_t *left, const uint8_t *right, int length) {
  for (int i = 0; i < length; i++) {
    if (left[i] != right[i]) {
      return i;
    }
  }
  return -1;
}
