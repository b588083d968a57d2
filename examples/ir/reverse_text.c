char *reverse_text(char *var1) {
  size_t var2 = 0;
  size_t var3 = strlen(var1);
  while (var2 + 1 < var3) {
    char var4 = var1[var2];
    var1[var2++] = var1[--var3];
    var1[var3] = var4;
  }
  return var1;
}
