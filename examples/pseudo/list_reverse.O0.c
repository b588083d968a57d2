long long list_reverse(long long param_1) {
  long long iVar1;
  uint64_t xStack_20;
  uint64_t xStack_10;
  xStack_10 = 0;
  xStack_20 = param_1;
  while (xStack_20 != 0) {
    iVar1 = *(long long *)(xStack_20 + 8);
    *(long long *)(xStack_20 + 8) = xStack_10;
    xStack_10 = xStack_20;
    xStack_20 = iVar1;
  }
  return xStack_10;
}
