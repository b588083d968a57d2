uint64_t *FUN_00101000(long long param_1, uint64_t param_2) {
  unsigned int uVar1;
  int iVar2;
  uint64_t *pxStack_10;
  uVar1 = FUN_00101080(param_2);
  pxStack_10 = *(uint64_t **)(param_1 + (unsigned long long)(uVar1 & 63) * 8);
  while (true) {
    if (pxStack_10 == (uint64_t *)0) {
      return (uint64_t *)0;
    }
    iVar2 = strcmp(*pxStack_10, param_2);
    if (iVar2 == 0) break;
    pxStack_10 = (uint64_t *)pxStack_10[2];
  }
  return pxStack_10;
}
