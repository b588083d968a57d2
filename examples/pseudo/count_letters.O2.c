void FUN_00101000(char *param_1, long long param_2) {
  int *piVar1;
  unsigned int uVar2;
  for (; *param_1 != '\0'; param_1 = param_1 + 1) {
    uVar2 = (int)*param_1 - 97;
    if (uVar2 < 26) {
      piVar1 = (int *)(param_2 + (long long)(int)uVar2 * 4);
      *piVar1 = *piVar1 + 1;
    }
  }
  return;
}
