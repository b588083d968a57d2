#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

typedef int32_t fixed_t;

fixed_t fixed_divide(fixed_t dividend, fixed_t divisor) {
  if (divisor == 0) {
    return dividend < 0 ? INT32_MIN : INT32_MAX;
  }
  return (fixed_t)(((int64_t)dividend << 16) / divisor);
}

fixed_t fixed_multiply(fixed_t left, fixed_t right) {
  int64_t product = (int64_t)left * right;
  return (fixed_t)((product + 0x8000) >> 16);
}

unsigned int gcd(unsigned int a, unsigned int b) {
  if (b == 0) {
    return a;
  }
  return gcd(b, a % b);
}

uint32_t integer_root(uint32_t square) {
  uint32_t root = 0;
  for (uint32_t bit = 1u << 15; bit != 0; bit >>= 1) {
    uint32_t candidate = root | bit;
    if (candidate * candidate <= square) {
      root = candidate;
    }
  }
  return root;
}

uint64_t power_mod(uint64_t base, uint64_t exponent, uint64_t modulus) {
  uint64_t result = 1;
  base %= modulus;
  while (exponent > 0) {
    if (exponent & 1) {
      result = result * base % modulus;
    }
    base = base * base % modulus;
    exponent >>= 1;
  }
  return result;
}

int median_of_three(int first, int second, int third) {
  if (first > second) {
    int swapped = first;
    first = second;
    second = swapped;
  }
  if (third <= first) {
    return first;
  }
  return third < second ? third : second;
}

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

long lcm(long a, long b) {
  long x = a;
  long y = b;
  while (y != 0) {
    long rest = x % y;
    x = y;
    y = rest;
  }
  return x == 0 ? 0 : a / x * b;
}

uint64_t fibonacci(int index) {
  uint64_t previous = 0;
  uint64_t current = 1;
  for (int i = 0; i < index; i++) {
    uint64_t next = previous + current;
    previous = current;
    current = next;
  }
  return previous;
}

bool is_prime(unsigned int number) {
  if (number < 4) {
    return number >= 2;
  }
  if (number % 2 == 0 || number % 3 == 0) {
    return false;
  }
  for (unsigned int divisor = 5; divisor <= number / divisor; divisor += 6) {
    if (number % divisor == 0 || number % (divisor + 2) == 0) {
      return false;
    }
  }
  return true;
}

int digit_sum(long number) {
  int sum = 0;
  if (number < 0) {
    number = -number;
  }
  while (number > 0) {
    sum += (int)(number % 10);
    number /= 10;
  }
  return sum;
}

int reverse_digits(int number) {
  int reversed = 0;
  while (number != 0) {
    int digit = number % 10;
    if (reversed > INT_MAX / 10 || reversed < INT_MIN / 10) {
      return 0;
    }
    reversed = reversed * 10 + digit;
    number /= 10;
  }
  return reversed;
}

int collatz_steps(unsigned long number) {
  int steps = 0;
  while (number > 1) {
    number = number % 2 == 0 ? number / 2 : 3 * number + 1;
    steps++;
  }
  return steps;
}

int saturating_add(int a, int b) {
  if (b > 0 && a > INT_MAX - b) {
    return INT_MAX;
  }
  if (b < 0 && a < INT_MIN - b) {
    return INT_MIN;
  }
  return a + b;
}

int divide_rounded(int amount, int parts) {
  if (parts == 0) {
    return 0;
  }
  int half = parts / 2;
  if ((amount < 0) != (parts < 0)) {
    return (amount - half) / parts;
  }
  return (amount + half) / parts;
}

unsigned long binomial(int n, int k) {
  unsigned long result = 1;
  if (k > n - k) {
    k = n - k;
  }
  for (int i = 1; i <= k; i++) {
    result = result * (unsigned long)(n - k + i) / (unsigned long)i;
  }
  return k < 0 ? 0 : result;
}

int to_base(unsigned int number, unsigned int base, char *text) {
  char reversed[33];
  int length = 0;
  do {
    unsigned int digit = number % base;
    reversed[length++] = (char)(digit < 10 ? '0' + digit : 'a' + digit - 10);
    number /= base;
  } while (number > 0);
  for (int i = 0; i < length; i++) {
    text[i] = reversed[length - 1 - i];
  }
  text[length] = '\0';
  return length;
}

uint32_t next_random(uint32_t *state) {
  uint32_t word = *state;
  word ^= word << 13;
  word ^= word >> 17;
  word ^= word << 5;
  *state = word;
  return word;
}
