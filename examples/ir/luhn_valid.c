bool func1(const char *var1, int var2) {
  int var3 = 0;
  for (int var4 = 0; var4 < var2; var4++) {
    int var5 = var1[var2 - 1 - var4] - '0';
    if (var4 % 2 == 1) {
      var5 *= 2;
      if (var5 > 9) {
        var5 -= 9;
      }
    }
    var3 += var5;
  }
  return var3 % 10 == 0;
}
