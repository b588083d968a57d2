int count_words(const char *var1) {
  int var2 = 0;
  bool var3 = false;
  for (; *var1 != '\0'; var1++) {
    if (*var1 == ' ' || *var1 == '\n' || *var1 == '\t') {
      var3 = false;
    } else if (!var3) {
      var3 = true;
      var2++;
    }
  }
  return var2;
}
