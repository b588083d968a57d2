unsigned int FUN_00101000(long long param_1, unsigned int param_2,
                          unsigned int param_3) {
  unsigned int uStack_10;
  unsigned int uStack_c;
  uStack_10 = 0;
  uStack_c = param_3;
  while (true) {
    uStack_c = uStack_c % param_2;
    if (param_2 <= uStack_10) {
      return 4294967295u;
    }
    if (*(int *)(param_1 + (unsigned long long)uStack_c * 8 + 4) == 0) break;
    if (param_3 ==
        *(unsigned int *)(param_1 + (unsigned long long)uStack_c * 8)) {
      return uStack_c;
    }
    uStack_c = uStack_c + 1;
    uStack_10 = uStack_10 + 1;
  }
  return uStack_c;
}
