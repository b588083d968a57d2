int *FUN_00101000(int *param_1, int param_2) {
  uint64_t xVar1;
  if (param_1 == (int *)0) {
    param_1 = (int *)FUN_00101090(param_2);
  } else if (param_2 < *param_1) {
    xVar1 = FUN_00101000(*(uint64_t *)(param_1 + 2), param_2);
    *(uint64_t *)(param_1 + 2) = xVar1;
  } else if (*param_1 < param_2) {
    xVar1 = FUN_00101000(*(uint64_t *)(param_1 + 4), param_2);
    *(uint64_t *)(param_1 + 4) = xVar1;
  }
  return param_1;
}
