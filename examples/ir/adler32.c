uint32_t adler32(const uint8_t *var1, size_t var2) {
  uint32_t var3 = 1;
  uint32_t var4 = 0;
  for (size_t var5 = 0; var5 < var2; var5++) {
    var3 = (var3 + var1[var5]) % var6;
    var4 = (var4 + var3) % var6;
  }
  return var4 << 16 | var3;
}
