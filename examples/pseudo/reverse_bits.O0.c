unsigned char reverse_bits(unsigned char param_1) {
  uint8_t xStack_1c;
  uint32_t xStack_10;
  uint8_t xStack_9;
  xStack_9 = 0;
  xStack_1c = param_1;
  for (xStack_10 = 0; xStack_10 < 8; xStack_10 = xStack_10 + 1) {
    xStack_9 = xStack_1c & 1 | xStack_9 * '\x02';
    xStack_1c = xStack_1c >> 1;
  }
  return xStack_9;
}
