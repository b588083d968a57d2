int func1(const char *var1, char var2) {
  int var3 = 1;
  int var4 = 0;
  for (; *var1 != '\0'; var1++) {
    if (*var1 == '"') {
      var4 = !var4;
    } else if (*var1 == var2 && !var4) {
      var3++;
    }
  }
  return var3;
}
