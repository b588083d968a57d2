long long remove_duplicates(int *param_1, long long param_2) {
  int *piVar1;
  long long iVar2;
  if (param_2 != 0) {
    iVar2 = 0;
    piVar1 = param_1;
    do {
      if ((iVar2 == 0) || (param_1[iVar2 + -1] != *piVar1)) {
        param_1[iVar2] = *piVar1;
        iVar2 = iVar2 + 1;
      }
      piVar1 = piVar1 + 1;
    } while (piVar1 != param_1 + param_2);
    return iVar2;
  }
  return 0;
}
