uint8_t func1(const uint8_t *var1, size_t var2) {
  uint8_t var3 = 0;
  while (var2--) {
    var3 ^= *var1++;
    for (int var4 = 0; var4 < 8; var4++) {
      if (var3 & 0x80) {
        var3 = (uint8_t)(var3 << 1 ^ 0x07);
      } else {
        var3 = (uint8_t)(var3 << 1);
      }
    }
  }
  return var3;
}
