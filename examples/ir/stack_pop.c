int func1(struct type1 *var1) {
  if (var1->field1 == 0) {
    func2("the stack is empty");
    exit(1);
  }
  var1->field1--;
  return var1->field2[var1->field1];
}
