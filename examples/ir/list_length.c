size_t func1(const struct type1 *var1) {
  size_t var2 = 0;
  while (var1 != NULL) {
    var2++;
    var1 = var1->field1;
  }
  return var2;
}
