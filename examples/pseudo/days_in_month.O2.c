int FUN_00101000(unsigned int param_1, uint32_t param_2) {
  int iVar1;
  if (11 < param_1) {
    return 31;
  }
  iVar1 = 30;
  if (((1L << ((unsigned char)param_1 & 63) & 2640U) == 0) &&
      (iVar1 = 31, param_1 == 2)) {
    iVar1 = FUN_00101070(param_2);
    return 29 - (unsigned int)(iVar1 == 0);
  }
  return iVar1;
}
