int max_index(const int *var1, int var2) {
  int var3 = 0;
  for (int var4 = 1; var4 < var2; var4++) {
    if (var1[var4] > var1[var3]) {
      var3 = var4;
    }
  }
  return var3;
}
