#include <assert.h>

int main(void) {
  assert(isbn_valid("0306406152"));
  assert(isbn_valid("080442957X"));
  assert(!isbn_valid("0306406153"));
  assert(!isbn_valid("030640615"));
  return 0;
}
