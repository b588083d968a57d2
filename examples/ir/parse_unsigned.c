bool func1(const char *var1, unsigned int *var2) {
  unsigned int var3 = 0;
  if (*var1 == '\0') {
    return false;
  }
  while (*var1 >= '0' && *var1 <= '9') {
    var3 = var3 * 10 + (unsigned int)(*var1++ - '0');
  }
  *var2 = var3;
  return *var1 == '\0';
}
