long long FUN_00101000(long long param_1) {
  uint64_t xStack_20;
  uint64_t xStack_10;
  xStack_10 = 0;
  for (xStack_20 = param_1; xStack_20 != 0;
       xStack_20 = *(long long *)(xStack_20 + 8)) {
    xStack_10 = xStack_10 + 1;
  }
  return xStack_10;
}
