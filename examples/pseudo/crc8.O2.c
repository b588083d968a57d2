unsigned long long FUN_00101000(unsigned char *param_1, long long param_2) {
  unsigned int uVar1;
  unsigned long long uVar2;
  int iVar3;
  unsigned char *puVar4;
  unsigned char *puVar5;
  if (param_2 != 0) {
    uVar2 = 0;
    puVar5 = param_1;
    do {
      puVar4 = puVar5 + 1;
      iVar3 = 8;
      uVar2 = CONCAT71((unkint7)(uVar2 >> 8), (unsigned char)uVar2 ^ *puVar5);
      do {
        uVar1 = (int)uVar2 * 2 ^ 7;
        if (-1 < (char)uVar2) {
          uVar1 = (int)uVar2 * 2;
        }
        uVar2 = (unsigned long long)uVar1;
        iVar3 = iVar3 + -1;
      } while (iVar3 != 0);
      puVar5 = puVar4;
    } while (param_1 + param_2 != puVar4);
    return uVar2;
  }
  return 0;
}
