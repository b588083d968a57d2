bool func1(type1 *var1, uint8_t var2) {
  unsigned int var3 = (var1->field1 + 1) % var4;
  if (var3 == var1->field2) {
    return false;
  }
  var1->field3[var1->field1] = var2;
  var1->field1 = var3;
  return true;
}
