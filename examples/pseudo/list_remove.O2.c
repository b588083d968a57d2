uint64_t FUN_00101000(int *param_1, int param_2) {
  int *piVar1;
  int *piVar2;
  piVar2 = *(int **)param_1;
  if (piVar2 == (int *)0) {
    return 0;
  }
  do {
    piVar1 = *(int **)(piVar2 + 4);
    if (*piVar2 == param_2) {
      *(int **)param_1 = piVar1;
      free(*(uint64_t *)(piVar2 + 2));
      free(piVar2);
      return 1;
    }
    param_1 = piVar2 + 4;
    piVar2 = piVar1;
  } while (piVar1 != (int *)0);
  return 0;
}
