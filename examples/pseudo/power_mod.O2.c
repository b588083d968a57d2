unsigned long long power_mod(unsigned long long param_1,
                             unsigned long long param_2,
                             unsigned long long param_3) {
  unsigned long long uVar1;
  uVar1 = 1;
  for (; param_2 != 0; param_2 = param_2 >> 1) {
    param_1 = param_1 % param_3;
    if ((param_2 & 1) != 0) {
      uVar1 = (uVar1 * param_1) % param_3;
    }
    param_1 = param_1 * param_1;
  }
  return uVar1;
}
