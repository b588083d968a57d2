#include <stdbool.h>

typedef struct {
  int left;
  int top;
  int width;
  int height;
} box_t;

bool boxes_overlap(const box_t *a, const box_t *b) {
  return a->left < b->left + b->width && b->left < a->left + a->width &&
         a->top < b->top + b->height && b->top < a->top + a->height;
}
