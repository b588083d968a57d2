uint64_t FUN_00101000(uint64_t *param_1, long long param_2) {
  uint64_t xVar1;
  if ((param_2 < 1) || ((long long)param_1[1] < param_2)) {
    printf("%s cannot withdraw %ld\n", *param_1, param_2);
    xVar1 = 4294967295u;
  } else {
    param_1[1] = param_1[1] - param_2;
    xVar1 = 0;
  }
  return xVar1;
}
