#include <assert.h>

int main(void) {
  assert(luhn_valid("79927398713", 11));
  assert(!luhn_valid("79927398710", 11));
  return 0;
}
