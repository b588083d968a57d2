unsigned int adler32(long long param_1, unsigned long long param_2) {
  uint64_t xStack_18;
  uint32_t xStack_10;
  uint32_t xStack_c;
  xStack_c = 1;
  xStack_10 = 0;
  for (xStack_18 = 0; xStack_18 < param_2; xStack_18 = xStack_18 + 1) {
    xStack_c = (*(unsigned char *)(xStack_18 + param_1) + xStack_c) % 65521;
    xStack_10 = (xStack_10 + xStack_c) % 65521;
  }
  return xStack_10 << 16 | xStack_c;
}
