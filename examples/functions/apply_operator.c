#include <stdbool.h>

bool apply_operator(char symbol, int left, int right, int *result) {
  switch (symbol) {
    case '+':
      *result = left + right;
      return true;
    case '-':
      *result = left - right;
      return true;
    case '*':
      *result = left * right;
      return true;
    default:
      return false;
  }
}
