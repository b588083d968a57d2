void FUN_00101000(char *param_1, long long param_2) {
  int iVar1;
  int *piVar2;
  char *pcStack_20;
  for (pcStack_20 = param_1; *pcStack_20 != '\0'; pcStack_20 = pcStack_20 + 1) {
    iVar1 = *pcStack_20 + -97;
    if ((-1 < iVar1) && (iVar1 < 26)) {
      piVar2 = (int *)(param_2 + (long long)iVar1 * 4);
      *piVar2 = *piVar2 + 1;
    }
  }
  return;
}
