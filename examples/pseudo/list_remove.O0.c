uint64_t FUN_00101000(long long *param_1, int param_2) {
  long long iVar1;
  long long *piStack_20;
  piStack_20 = param_1;
  while (true) {
    if (*piStack_20 == 0) {
      return 0;
    }
    if (param_2 == *(int *)*piStack_20) break;
    piStack_20 = (long long *)(*piStack_20 + 16);
  }
  iVar1 = *piStack_20;
  *piStack_20 = *(long long *)(iVar1 + 16);
  free(*(uint64_t *)(iVar1 + 8));
  free(iVar1);
  return 1;
}
