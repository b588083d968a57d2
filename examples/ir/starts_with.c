bool starts_with(const char *var1, const char *var2) {
  while (*var2 != '\0') {
    if (*var1++ != *var2++) {
      return false;
    }
  }
  return true;
}
