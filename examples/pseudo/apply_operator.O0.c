uint64_t apply_operator(char param_1, int param_2, int param_3, int *param_4) {
  if (param_1 == '-') {
    *param_4 = param_2 - param_3;
    return 1;
  }
  if (param_1 < '.') {
    if (param_1 == '*') {
      *param_4 = param_2 * param_3;
      return 1;
    }
    if (param_1 == '+') {
      *param_4 = param_2 + param_3;
      return 1;
    }
  }
  return 0;
}
