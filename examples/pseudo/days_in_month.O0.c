uint64_t FUN_00101000(unsigned int param_1, uint32_t param_2) {
  int iVar1;
  unsigned long long uVar2;
  if (param_1 < 12) {
    uVar2 = 1L << ((unsigned char)param_1 & 63);
    if ((uVar2 & 2640) != 0) {
      return 30;
    }
    if ((uVar2 & 4) != 0) {
      iVar1 = FUN_00101090(param_2);
      if (iVar1 != 0) {
        return 29;
      }
      return 28;
    }
  }
  return 31;
}
