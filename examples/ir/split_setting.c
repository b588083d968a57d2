int func1(char *var1, struct type1 *var2) {
  char *var3 = strchr(var1, '=');
  if (var3 == NULL || var3 == var1) {
    return -1;
  }
  *var3 = '\0';
  var2->field1 = var1;
  var2->field2 = var3 + 1;
  return 0;
}
