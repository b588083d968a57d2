uint64_t *FUN_00101000(long long param_1, uint64_t param_2) {
  uint64_t *pxVar1;
  unsigned int uVar2;
  int iVar3;
  uVar2 = FUN_00101060(param_2);
  pxVar1 = *(uint64_t **)(param_1 + (unsigned long long)(uVar2 & 63) * 8);
  while ((pxVar1 != (uint64_t *)0 &&
          (iVar3 = strcmp(*pxVar1, param_2), iVar3 != 0))) {
    pxVar1 = (uint64_t *)pxVar1[2];
  }
  return pxVar1;
}
