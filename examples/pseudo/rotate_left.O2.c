void rotate_left(uint64_t param_1, unsigned long long param_2,
                 unsigned long long param_3) {
  if (1 < param_2) {
    reverse_range(param_1, 0);
    reverse_range(param_1, param_3 % param_2, param_2);
    reverse_range(param_1, 0, param_2);
    return;
  }
  return;
}
