int count_bits(uint32_t var1) {
  int var2 = 0;
  while (var1 != 0) {
    var1 &= var1 - 1;
    var2++;
  }
  return var2;
}
