int FUN_00101000(long long param_1) {
  int iVar1;
  int iVar2;
  if (param_1 == 0) {
    iVar1 = 0;
  } else {
    iVar1 = FUN_00101000(*(uint64_t *)(param_1 + 8));
    iVar2 = FUN_00101000(*(uint64_t *)(param_1 + 16));
    if (iVar1 <= iVar2) {
      iVar1 = iVar2;
    }
    iVar1 = iVar1 + 1;
  }
  return iVar1;
}
