unsigned int FUN_00101000(unsigned int param_1) {
  unsigned int uVar1;
  unsigned int uVar2;
  unsigned int uVar3;
  int iVar4;
  iVar4 = 16;
  uVar2 = 32768;
  uVar3 = 0;
  do {
    uVar1 = uVar3 | uVar2;
    if (uVar1 * uVar1 <= param_1) {
      uVar3 = uVar1;
    }
    uVar2 = uVar2 >> 1;
    iVar4 = iVar4 + -1;
  } while (iVar4 != 0);
  return uVar3;
}
