uint64_t FUN_00101000(char *param_1, int *param_2) {
  char cVar1;
  unsigned long long uVar2;
  uint64_t xVar3;
  cVar1 = *param_1;
  xVar3 = 0;
  if (cVar1 != '\0') {
    uVar2 = 0;
    while ((unsigned char)(cVar1 - 48U) < 10) {
      param_1 = param_1 + 1;
      uVar2 = (unsigned long long)(unsigned int)(cVar1 + -48 + (int)uVar2 * 10);
      cVar1 = *param_1;
    }
    *param_2 = (int)uVar2;
    xVar3 = CONCAT71((unkint7)(uVar2 >> 8), *param_1 == '\0');
  }
  return xVar3;
}
