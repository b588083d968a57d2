int *FUN_00101000(int *param_1, int param_2) {
  while (true) {
    if (param_1 == (int *)0) {
      return (int *)0;
    }
    if (*param_1 == param_2) break;
    param_1 = *(int **)(param_1 + 2);
  }
  return param_1;
}
