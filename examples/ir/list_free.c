void list_free(type1 *var1) {
  while (var1) {
    type1 *var2 = var1->field1;
    free(var1->field2);
    free(var1);
    var1 = var2;
  }
}
