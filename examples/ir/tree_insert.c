type1 *func1(type1 *var1, int var2) {
  if (var1 == NULL) {
    return func2(var2);
  }
  if (var2 < var1->field1) {
    var1->field2 = func1(var1->field2, var2);
  } else if (var2 > var1->field1) {
    var1->field3 = func1(var1->field3, var2);
  }
  return var1;
}
