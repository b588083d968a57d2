long long fixed_multiply(int param_1, int param_2) {
  return (long long)param_1 * (long long)param_2 + 32768 >> 16;
}
