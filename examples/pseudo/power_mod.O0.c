unsigned long long power_mod(unsigned long long param_1,
                             unsigned long long param_2,
                             unsigned long long param_3) {
  uint64_t xStack_28;
  uint64_t xStack_20;
  uint64_t xStack_10;
  xStack_10 = 1;
  for (xStack_28 = param_2; xStack_20 = param_1 % param_3, xStack_28 != 0;
       xStack_28 = xStack_28 >> 1) {
    if ((xStack_28 & 1) != 0) {
      xStack_10 = (xStack_10 * xStack_20) % param_3;
    }
    param_1 = xStack_20 * xStack_20;
  }
  return xStack_10;
}
