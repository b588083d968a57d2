unsigned int reverse_bits(unsigned int param_1) {
  unsigned int uVar1;
  int iVar2;
  iVar2 = 8;
  uVar1 = 0;
  do {
    uVar1 = uVar1 * 2 | param_1 & 1;
    iVar2 = iVar2 + -1;
    param_1 = param_1 >> 1 & 127;
  } while (iVar2 != 0);
  return uVar1;
}
