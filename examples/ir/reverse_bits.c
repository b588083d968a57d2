uint8_t reverse_bits(uint8_t var1) {
  uint8_t var2 = 0;
  for (int var3 = 0; var3 < 8; var3++) {
    var2 = (uint8_t)(var2 << 1 | (var1 & 1));
    var1 >>= 1;
  }
  return var2;
}
