long long reverse_text(long long param_1) {
  uint8_t xVar1;
  uint64_t xStack_18;
  uint64_t xStack_10;
  xStack_10 = 0;
  xStack_18 = strlen(param_1);
  while (xStack_10 + 1U < xStack_18) {
    xVar1 = *(uint8_t *)(xStack_10 + param_1);
    xStack_18 = xStack_18 - 1;
    *(uint8_t *)(param_1 + xStack_10) = *(uint8_t *)(param_1 + xStack_18);
    *(uint8_t *)(param_1 + xStack_18) = xVar1;
    xStack_10 = xStack_10 + 1;
  }
  return param_1;
}
