void gcd(unsigned int param_1, unsigned int param_2) {
  if (param_2 == 0) {
    return;
  }
  gcd(param_2, (unsigned long long)param_1 % (unsigned long long)param_2);
  return;
}
