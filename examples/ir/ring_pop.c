bool func1(type1 *var1, uint8_t *var2) {
  if (var1->field1 == var1->field2) {
    return false;
  }
  *var2 = var1->field3[var1->field2];
  var1->field2 = (var1->field2 + 1) % var3;
  return true;
}
