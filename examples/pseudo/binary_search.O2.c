int FUN_00101000(long long param_1, int param_2, int param_3) {
  int iVar1;
  int iVar2;
  int iVar3;
  param_2 = param_2 + -1;
  if (-1 < param_2) {
    iVar3 = 0;
    do {
      while (true) {
        iVar2 = (param_2 - iVar3 >> 1) + iVar3;
        iVar1 = *(int *)(param_1 + (long long)iVar2 * 4);
        if (iVar1 == param_3) {
          return iVar2;
        }
        if (iVar1 < param_3) break;
        param_2 = iVar2 + -1;
        if (param_2 < iVar3) {
          return -1;
        }
      }
      iVar3 = iVar2 + 1;
    } while (iVar3 <= param_2);
  }
  return -1;
}
