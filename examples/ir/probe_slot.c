int func1(const struct type1 *var1, uint32_t var2, uint32_t var3) {
  uint32_t var4 = var3 % var2;
  for (uint32_t var5 = 0; var5 < var2; var5++) {
    if (!var1[var4].field1 || var1[var4].field2 == var3) {
      return (int)var4;
    }
    var4 = (var4 + 1) % var2;
  }
  return -1;
}
