int max_index(long long param_1, int param_2) {
  uint32_t xStack_10;
  uint32_t xStack_c;
  xStack_c = 0;
  for (xStack_10 = 1; xStack_10 < param_2; xStack_10 = xStack_10 + 1) {
    if (*(int *)(param_1 + (long long)xStack_c * 4) <
        *(int *)(param_1 + (long long)xStack_10 * 4)) {
      xStack_c = xStack_10;
    }
  }
  return xStack_c;
}
