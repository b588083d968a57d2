size_t remove_duplicates(int *var1, size_t var2) {
  size_t var3 = 0;
  for (size_t var4 = 0; var4 < var2; var4++) {
    if (var3 == 0 || var1[var3 - 1] != var1[var4]) {
      var1[var3++] = var1[var4];
    }
  }
  return var3;
}
