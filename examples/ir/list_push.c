struct type1 *func1(struct type1 *var1, int var2) {
  struct type1 *var3 = malloc(sizeof(struct type1));
  if (var3 == NULL) {
    return var1;
  }
  var3->field1 = var2;
  var3->field2 = var1;
  return var3;
}
