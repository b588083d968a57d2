int FUN_00101000(long long param_1) {
  int iVar1;
  int iVar2;
  if (param_1 != 0) {
    iVar1 = FUN_00101000(*(uint64_t *)(param_1 + 8));
    iVar2 = FUN_00101000(*(uint64_t *)(param_1 + 16));
    if (iVar2 <= iVar1) {
      iVar2 = iVar1;
    }
    return iVar2 + 1;
  }
  return 0;
}
