unsigned int fletcher16(unsigned char *param_1, long long param_2) {
  unsigned char *puVar1;
  unsigned char uVar2;
  unsigned int uVar3;
  unsigned int uVar4;
  if (param_2 != 0) {
    puVar1 = param_1 + param_2;
    uVar4 = 0;
    uVar3 = 0;
    do {
      uVar2 = *param_1;
      param_1 = param_1 + 1;
      uVar3 = (uVar2 + uVar3) % 255;
      uVar4 = (uVar4 + uVar3) % 255;
    } while (puVar1 != param_1);
    return uVar3 | uVar4 * 256;
  }
  return 0;
}
