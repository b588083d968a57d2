type1 fixed_multiply(type1 var1, type1 var2) {
  int64_t var3 = (int64_t)var1 * var2;
  return (type1)((var3 + 0x8000) >> 16);
}
