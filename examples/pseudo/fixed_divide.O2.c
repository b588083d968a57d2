unsigned long long fixed_divide(int param_1, int param_2) {
  if (param_2 != 0) {
    return ((long long)param_1 << 16) / (long long)param_2;
  }
  return (unsigned long long)(2147483647 - (param_1 >> 31));
}
