bool FUN_00101000(unsigned int param_1) {
  unsigned int uVar1;
  bool bVar2;
  bVar2 = true;
  uVar1 = param_1 * -1030792151 + 85899344;
  if ((10737418 < (uVar1 >> 4 | param_1 * -1879048192)) &&
      (bVar2 = false, (param_1 & 3) == 0)) {
    bVar2 = 42949672 < (uVar1 >> 2 | param_1 * 1073741824);
  }
  return bVar2;
}
