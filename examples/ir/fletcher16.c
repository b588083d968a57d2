uint16_t fletcher16(const uint8_t *var1, size_t var2) {
  uint16_t var3 = 0;
  uint16_t var4 = 0;
  for (size_t var5 = 0; var5 < var2; var5++) {
    var3 = (uint16_t)((var3 + var1[var5]) % 255);
    var4 = (uint16_t)((var4 + var3) % 255);
  }
  return (uint16_t)(var4 << 8 | var3);
}
