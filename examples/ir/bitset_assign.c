bool bitset_assign(struct type1 *var1, uint32_t var2, bool var3) {
  if (var2 >= var1->field1) {
    return false;
  }
  uint32_t var4 = 1u << (var2 % 32);
  if (var3) {
    var1->field2[var2 / 32] |= var4;
  } else {
    var1->field2[var2 / 32] &= ~var4;
  }
  return true;
}
