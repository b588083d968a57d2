long long FUN_00101000(long long param_1) {
  long long iVar1;
  iVar1 = 0;
  if (param_1 == 0) {
    return 0;
  }
  do {
    param_1 = *(long long *)(param_1 + 8);
    iVar1 = iVar1 + 1;
  } while (param_1 != 0);
  return iVar1;
}
