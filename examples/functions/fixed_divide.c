#include <stdint.h>

typedef int32_t fixed_t;

fixed_t fixed_divide(fixed_t dividend, fixed_t divisor) {
  if (divisor == 0) {
    return dividend < 0 ? INT32_MIN : INT32_MAX;
  }
  return (fixed_t)(((int64_t)dividend << 16) / divisor);
}
