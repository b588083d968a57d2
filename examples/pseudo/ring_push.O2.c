bool FUN_00101000(long long param_1, uint8_t param_2) {
  unsigned int uVar1;
  bool bVar2;
  uVar1 = *(unsigned int *)(param_1 + 128) + 1 & 127;
  bVar2 = *(unsigned int *)(param_1 + 132) != uVar1;
  if (bVar2) {
    *(uint8_t *)(param_1 + (unsigned long long)*(
                               unsigned int *)(param_1 + 128)) = param_2;
    *(unsigned int *)(param_1 + 128) = uVar1;
  }
  return bVar2;
}
