long long fixed_divide(int param_1, int param_2) {
  long long iVar1;
  if (param_2 == 0) {
    if (param_1 < 0) {
      iVar1 = 2147483648u;
    } else {
      iVar1 = 2147483647;
    }
  } else {
    iVar1 = ((long long)param_1 << 16) / (long long)param_2;
  }
  return iVar1;
}
