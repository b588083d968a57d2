size_t func1(const char *var1) {
  size_t var2 = 0;
  for (; *var1 != '\0'; var1++) {
    if ((*var1 & 0xc0) != 0x80) {
      var2++;
    }
  }
  return var2;
}
