struct type1 *func1(struct type1 *var1, int var2) {
  while (var1 != NULL && var1->field1 != var2) {
    var1 = var1->field2;
  }
  return var1;
}
