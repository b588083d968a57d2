uint64_t FUN_00101000(long long param_1, unsigned int param_2) {
  unsigned int uVar1;
  unsigned long long uVar2;
  int iVar3;
  unsigned int uVar4;
  char *pcVar5;
  if (0 < (int)param_2) {
    uVar4 = 0;
    iVar3 = 0;
    pcVar5 = (char *)(param_1 + (int)(param_2 - 1));
    do {
      uVar2 = (unsigned long long)((int)*pcVar5 - 48U);
      if ((uVar4 & 1) != 0) {
        uVar1 = ((int)*pcVar5 - 48U) * 2;
        uVar2 = (unsigned long long)uVar1;
        if (9 < (int)uVar1) {
          uVar2 = (unsigned long long)(uVar1 - 9);
        }
      }
      uVar4 = uVar4 + 1;
      iVar3 = iVar3 + (int)uVar2;
      pcVar5 = pcVar5 + -1;
    } while (param_2 != uVar4);
    uVar4 = iVar3 * -858993459 + 429496728;
    return CONCAT71(
        (unkint7)(uVar2 >> 8),
        (uVar4 >> 1 | (unsigned int)((uVar4 & 1) != 0) << 31) < 429496729);
  }
  return 1;
}
