long long FUN_00101000(unsigned char *param_1) {
  unsigned char uVar1;
  long long iVar2;
  iVar2 = 0;
  uVar1 = *param_1;
  while (uVar1 != 0) {
    param_1 = param_1 + 1;
    iVar2 = iVar2 + (unsigned long long)((uVar1 & 192) != 128);
    uVar1 = *param_1;
  }
  return iVar2;
}
