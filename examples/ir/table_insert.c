void func1(type1 *var1, type2 *var2) {
  uint32_t var3 = func2(var2->field1) % var4;
  var2->field2 = var1->field3[var3];
  var1->field3[var3] = var2;
  var1->field4++;
}
