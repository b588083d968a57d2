uint64_t FUN_00101000(uint64_t *param_1, long long param_2) {
  if ((0 < param_2) && (param_2 <= (long long)param_1[1])) {
    param_1[1] = param_1[1] - param_2;
    return 0;
  }
  printf("%s cannot withdraw %ld\n", *param_1, param_2);
  return 4294967295u;
}
