unsigned int gcd(unsigned int var1, unsigned int var2) {
  if (var2 == 0) {
    return var1;
  }
  return gcd(var2, var1 % var2);
}
