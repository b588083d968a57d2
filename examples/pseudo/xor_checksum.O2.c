unsigned char xor_checksum(unsigned char *param_1) {
  unsigned char uVar1;
  unsigned char uVar2;
  unsigned char *puVar3;
  uVar1 = param_1[1];
  uVar2 = *param_1 ^ uVar1;
  if (uVar1 != 0) {
    puVar3 = param_1 + uVar1;
    do {
      uVar2 = uVar2 ^ param_1[2];
      param_1 = param_1 + 1;
    } while (param_1 != puVar3);
  }
  return uVar2;
}
