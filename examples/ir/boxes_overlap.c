bool boxes_overlap(const type1 *var1, const type1 *var2) {
  return var1->field1 < var2->field1 + var2->field2 &&
         var2->field1 < var1->field1 + var1->field2 &&
         var1->field3 < var2->field3 + var2->field4 &&
         var2->field3 < var1->field3 + var1->field4;
}
