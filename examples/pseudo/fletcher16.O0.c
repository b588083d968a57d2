unsigned int fletcher16(long long param_1, unsigned long long param_2) {
  unsigned int uVar1;
  uint64_t xStack_18;
  uint16_t xStack_c;
  uint16_t xStack_a;
  xStack_a = 0;
  xStack_c = 0;
  for (xStack_18 = 0; xStack_18 < param_2; xStack_18 = xStack_18 + 1) {
    uVar1 = (unsigned int)xStack_a +
            (unsigned int)*(unsigned char *)(xStack_18 + param_1);
    xStack_a = (short)uVar1 + (short)(uVar1 / 255) * -255;
    xStack_c =
        (short)((unsigned int)xStack_c + (unsigned int)xStack_a) +
        (short)(((unsigned int)xStack_c + (unsigned int)xStack_a) / 255) * -255;
  }
  return (unsigned int)xStack_a | (unsigned int)xStack_c << 8;
}
