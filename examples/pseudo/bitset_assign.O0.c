uint64_t bitset_assign(unsigned int *param_1, unsigned int param_2,
                       char param_3) {
  uint64_t xVar1;
  unsigned int uVar2;
  if (param_2 < *param_1) {
    uVar2 = 1 << ((unsigned char)param_2 & 31);
    if (param_3 == '\0') {
      *(unsigned int *)(*(long long *)(param_1 + 2) +
                        (unsigned long long)(param_2 >> 5) * 4) =
          *(unsigned int *)(*(long long *)(param_1 + 2) +
                            (unsigned long long)(param_2 >> 5) * 4) &
          ~uVar2;
    } else {
      *(unsigned int *)(*(long long *)(param_1 + 2) +
                        (unsigned long long)(param_2 >> 5) * 4) =
          *(unsigned int *)(*(long long *)(param_1 + 2) +
                            (unsigned long long)(param_2 >> 5) * 4) |
          uVar2;
    }
    xVar1 = 1;
  } else {
    xVar1 = 0;
  }
  return xVar1;
}
