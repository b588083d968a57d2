int func1(const int *var1, int var2, int var3) {
  int var4 = 0;
  int var5 = var2 - 1;
  while (var4 <= var5) {
    int var6 = var4 + (var5 - var4) / 2;
    if (var1[var6] == var3) {
      return var6;
    }
    if (var1[var6] < var3) {
      var4 = var6 + 1;
    } else {
      var5 = var6 - 1;
    }
  }
  return -1;
}
