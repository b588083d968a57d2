unsigned int FUN_00101000(unsigned int param_1) {
  unsigned int uVar1;
  uint32_t xStack_10;
  uint32_t xStack_c;
  xStack_c = 0;
  for (xStack_10 = 32768; xStack_10 != 0; xStack_10 = xStack_10 >> 1) {
    uVar1 = xStack_c | xStack_10;
    if (uVar1 * uVar1 <= param_1) {
      xStack_c = uVar1;
    }
  }
  return xStack_c;
}
