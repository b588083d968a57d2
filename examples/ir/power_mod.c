uint64_t power_mod(uint64_t var1, uint64_t var2, uint64_t var3) {
  uint64_t var4 = 1;
  var1 %= var3;
  while (var2 > 0) {
    if (var2 & 1) {
      var4 = var4 * var1 % var3;
    }
    var1 = var1 * var1 % var3;
    var2 >>= 1;
  }
  return var4;
}
