type1 fixed_divide(type1 var1, type1 var2) {
  if (var2 == 0) {
    return var1 < 0 ? INT32_MIN : INT32_MAX;
  }
  return (type1)(((int64_t)var1 << 16) / var2);
}
