uint32_t func1(const char *var1) {
  uint32_t var2 = 5381;
  while (*var1 != '\0') {
    var2 = var2 * 33 + (uint8_t)*var1++;
  }
  return var2;
}
