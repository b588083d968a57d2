void trim_right(uint8_t *param_1) {
  long long iVar1;
  long long *piVar2;
  long long iVar3;
  iVar1 = strlen();
  do {
    iVar3 = iVar1;
    if (iVar3 == 0) {
      *param_1 = 0;
      return;
    }
    piVar2 = (long long *)__ctype_b_loc();
    iVar1 = iVar3 + -1;
  } while ((*(unsigned char *)(*piVar2 + 1 +
                               (unsigned long long)(unsigned char)
                                       param_1[iVar3 + -1] *
                                   2) &
            32) != 0);
  param_1[iVar3] = 0;
  return;
}
