void insertion_sort(int *var1, int var2) {
  for (int var3 = 1; var3 < var2; var3++) {
    int var4 = var1[var3];
    int var5 = var3;
    while (var5 > 0 && var1[var5 - 1] > var4) {
      var1[var5] = var1[var5 - 1];
      var5--;
    }
    var1[var5] = var4;
  }
}
