void insertion_sort(long long param_1, int param_2) {
  int iVar1;
  uint32_t xStack_10;
  uint32_t xStack_c;
  for (xStack_c = 1; xStack_c < param_2; xStack_c = xStack_c + 1) {
    iVar1 = *(int *)(param_1 + (long long)xStack_c * 4);
    xStack_10 = xStack_c;
    while ((0 < xStack_10 &&
            (iVar1 < *(int *)(param_1 + (long long)xStack_10 * 4 + -4)))) {
      *(uint32_t *)(param_1 + (long long)xStack_10 * 4) =
          *(uint32_t *)(param_1 + (long long)xStack_10 * 4 + -4);
      xStack_10 = xStack_10 + -1;
    }
    *(int *)((long long)xStack_10 * 4 + param_1) = iVar1;
  }
  return;
}
