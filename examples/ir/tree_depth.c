int func1(const type1 *var1) {
  if (var1 == NULL) {
    return 0;
  }
  int var2 = func1(var1->field1);
  int var3 = func1(var1->field2);
  return 1 + (var2 > var3 ? var2 : var3);
}
