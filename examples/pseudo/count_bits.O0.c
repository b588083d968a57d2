int count_bits(unsigned int param_1) {
  uint32_t xStack_1c;
  uint32_t xStack_c;
  xStack_c = 0;
  for (xStack_1c = param_1; xStack_1c != 0;
       xStack_1c = xStack_1c & xStack_1c - 1) {
    xStack_c = xStack_c + 1;
  }
  return xStack_c;
}
