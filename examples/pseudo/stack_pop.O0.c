uint32_t FUN_00101000(long long *param_1) {
  if ((int)param_1[1] == 0) {
    FUN_00101080("the stack is empty");
    exit(1);
  }
  *(int *)(param_1 + 1) = (int)param_1[1] + -1;
  return *(uint32_t *)((long long)(int)param_1[1] * 4 + *param_1);
}
