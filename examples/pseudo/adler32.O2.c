unsigned int adler32(unsigned char *param_1, long long param_2) {
  unsigned char uVar1;
  unsigned int uVar2;
  unsigned int uVar3;
  unsigned char *puVar4;
  if (param_2 != 0) {
    puVar4 = param_1 + param_2;
    uVar2 = 0;
    uVar3 = 1;
    do {
      uVar1 = *param_1;
      param_1 = param_1 + 1;
      uVar3 = (uVar3 + uVar1) % 65521;
      uVar2 = (uVar2 + uVar3) % 65521;
    } while (puVar4 != param_1);
    return uVar2 << 16 | uVar3;
  }
  return 1;
}
