int max_index(long long param_1, unsigned int param_2) {
  unsigned long long uVar1;
  int iVar2;
  if (1 < (int)param_2) {
    uVar1 = 1;
    iVar2 = 0;
    do {
      if (*(int *)(param_1 + (long long)iVar2 * 4) <
          *(int *)(param_1 + uVar1 * 4)) {
        iVar2 = (int)uVar1;
      }
      uVar1 = uVar1 + 1;
    } while (uVar1 != param_2);
    return iVar2;
  }
  return 0;
}
