struct type1 *list_reverse(struct type1 *var1) {
  struct type1 *var2 = NULL;
  while (var1 != NULL) {
    struct type1 *var3 = var1->field1;
    var1->field1 = var2;
    var2 = var1;
    var1 = var3;
  }
  return var2;
}
