int *FUN_00101000(int *param_1, int param_2) {
  int *piStack_10;
  for (piStack_10 = param_1;
       (piStack_10 != (int *)0 && (param_2 != *piStack_10));
       piStack_10 = *(int **)(piStack_10 + 2)) {
  }
  return piStack_10;
}
