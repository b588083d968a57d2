unsigned int gcd(unsigned int a, unsigned int b) {
  if (b == 0) {
    return a;
  }
  return gcd(b, a % b);
}
