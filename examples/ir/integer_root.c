uint32_t func1(uint32_t var1) {
  uint32_t var2 = 0;
  for (uint32_t var3 = 1u << 15; var3 != 0; var3 >>= 1) {
    uint32_t var4 = var2 | var3;
    if (var4 * var4 <= var1) {
      var2 = var4;
    }
  }
  return var2;
}
