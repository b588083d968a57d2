uint64_t bitset_assign(unsigned int *param_1, unsigned int param_2,
                       char param_3) {
  unsigned int *puVar1;
  unsigned int uVar2;
  unsigned int uVar3;
  unsigned int uVar4;
  uint64_t xVar5;
  xVar5 = 0;
  if (param_2 < *param_1) {
    uVar3 = 1 << ((unsigned char)param_2 & 31);
    puVar1 = (unsigned int *)(*(long long *)(param_1 + 2) +
                              (unsigned long long)(param_2 >> 5) * 4);
    uVar2 = *puVar1;
    uVar4 = ~uVar3 & uVar2;
    if (param_3 != '\0') {
      uVar4 = uVar3 | uVar2;
    }
    *puVar1 = uVar4;
    xVar5 = 1;
  }
  return xVar5;
}
