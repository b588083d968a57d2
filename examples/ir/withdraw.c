int func1(struct type1 *var1, long var2) {
  if (var2 <= 0 || var2 > var1->field1) {
    printf("%s cannot withdraw %ld\n", var1->field2, var2);
    return -1;
  }
  var1->field1 -= var2;
  return 0;
}
