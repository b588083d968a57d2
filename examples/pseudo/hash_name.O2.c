int FUN_00101000(unsigned char *param_1) {
  unsigned char uVar1;
  int iVar2;
  uVar1 = *param_1;
  iVar2 = 5381;
  if (uVar1 != 0) {
    do {
      param_1 = param_1 + 1;
      iVar2 = iVar2 * 33 + (unsigned int)uVar1;
      uVar1 = *param_1;
    } while (uVar1 != 0);
    return iVar2;
  }
  return iVar2;
}
