void func1(const char *var1, unsigned int var2[var3]) {
  for (; *var1; var1++) {
    int var4 = *var1 - 'a';
    if (var4 >= 0 && var4 < var3) {
      var2[var4]++;
    }
  }
}
