int FUN_00101000(long long param_1, int param_2, int param_3) {
  int iVar1;
  int iStack_10;
  int iStack_c;
  iStack_c = 0;
  iStack_10 = param_2 + -1;
  while (true) {
    if (iStack_10 < iStack_c) {
      return -1;
    }
    iVar1 = iStack_c + (iStack_10 - iStack_c) / 2;
    if (param_3 == *(int *)(param_1 + (long long)iVar1 * 4)) break;
    if (*(int *)(param_1 + (long long)iVar1 * 4) < param_3) {
      iStack_c = iVar1 + 1;
    } else {
      iStack_10 = iVar1 + -1;
    }
  }
  return iVar1;
}
