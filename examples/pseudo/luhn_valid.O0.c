uint32_t FUN_00101000(long long param_1, int param_2) {
  uint32_t xStack_14;
  uint32_t xStack_10;
  uint32_t xStack_c;
  xStack_c = 0;
  for (xStack_10 = 0; xStack_10 < param_2; xStack_10 = xStack_10 + 1) {
    xStack_14 = *(char *)(param_1 + ((param_2 + -1) - xStack_10)) + -48;
    if ((xStack_10 % 2 == 1) && (xStack_14 = xStack_14 * 2, 9 < xStack_14)) {
      xStack_14 = xStack_14 + -9;
    }
    xStack_c = xStack_c + xStack_14;
  }
  return CONCAT31((unkint3)((unsigned int)((xStack_c / 10) * 10) >> 8),
                  xStack_c % 10 == 0);
}
