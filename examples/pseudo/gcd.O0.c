unsigned long long gcd(unsigned int param_1, unsigned int param_2) {
  unsigned long long uVar1;
  if (param_2 == 0) {
    uVar1 = (unsigned long long)param_1;
  } else {
    uVar1 = gcd(param_2, param_1 % param_2);
  }
  return uVar1;
}
