bool FUN_00101000(long long param_1, uint8_t *param_2) {
  unsigned int uVar1;
  bool bVar2;
  uVar1 = *(unsigned int *)(param_1 + 132);
  bVar2 = *(unsigned int *)(param_1 + 128) != uVar1;
  if (bVar2) {
    *param_2 = *(uint8_t *)(param_1 + (unsigned long long)uVar1);
    *(unsigned int *)(param_1 + 132) = *(int *)(param_1 + 132) + 1U & 127;
  }
  return bVar2;
}
