long long remove_duplicates(long long param_1, unsigned long long param_2) {
  uint64_t xStack_18;
  uint64_t xStack_10;
  xStack_10 = 0;
  for (xStack_18 = 0; xStack_18 < param_2; xStack_18 = xStack_18 + 1) {
    if ((xStack_10 == 0) || (*(int *)(param_1 + xStack_10 * 4 + -4) !=
                             *(int *)(param_1 + xStack_18 * 4))) {
      *(uint32_t *)(xStack_10 * 4 + param_1) =
          *(uint32_t *)(xStack_18 * 4 + param_1);
      xStack_10 = xStack_10 + 1;
    }
  }
  return xStack_10;
}
