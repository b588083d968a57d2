unsigned long long FUN_00101000(long long param_1, unsigned int param_2,
                                unsigned int param_3) {
  unsigned int *puVar1;
  unsigned long long uVar2;
  unsigned int uVar3;
  uVar2 = (unsigned long long)param_3 % (unsigned long long)param_2;
  if (param_2 != 0) {
    uVar3 = 0;
    do {
      puVar1 = (unsigned int *)(param_1 + uVar2 * 8);
      if ((puVar1[1] == 0) || (*puVar1 == param_3)) {
        return uVar2;
      }
      uVar3 = uVar3 + 1;
      uVar2 =
          (unsigned long long)((int)uVar2 + 1) % (unsigned long long)param_2;
    } while (param_2 != uVar3);
  }
  return 4294967295u;
}
