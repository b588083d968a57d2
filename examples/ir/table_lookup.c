type1 *func1(const type2 *var1, const char *var2) {
  type1 *var3 = var1->field1[func2(var2) % var4];
  while (var3 != NULL && strcmp(var3->field2, var2) != 0) {
    var3 = var3->field3;
  }
  return var3;
}
