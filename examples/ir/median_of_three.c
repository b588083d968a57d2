int median_of_three(int var1, int var2, int var3) {
  if (var1 > var2) {
    int var4 = var1;
    var1 = var2;
    var2 = var4;
  }
  if (var3 <= var1) {
    return var1;
  }
  return var3 < var2 ? var3 : var2;
}
