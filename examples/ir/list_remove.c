int func1(type1 **var1, int var2) {
  for (; *var1 != NULL; var1 = &(*var1)->field1) {
    if ((*var1)->field2 == var2) {
      type1 *var3 = *var1;
      *var1 = var3->field1;
      free(var3->field3);
      free(var3);
      return 1;
    }
  }
  return 0;
}
