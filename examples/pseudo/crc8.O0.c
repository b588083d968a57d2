unsigned char FUN_00101000(unsigned char *param_1, long long param_2) {
  unsigned char *puVar1;
  long long iVar2;
  long long iStack_28;
  unsigned char *puStack_20;
  int iStack_10;
  unsigned char uStack_9;
  uStack_9 = 0;
  iStack_28 = param_2;
  puStack_20 = param_1;
  while (iVar2 = iStack_28 + -1, iStack_28 != 0) {
    puVar1 = puStack_20 + 1;
    uStack_9 = uStack_9 ^ *puStack_20;
    for (iStack_10 = 0; iStack_28 = iVar2, puStack_20 = puVar1, iStack_10 < 8;
         iStack_10 = iStack_10 + 1) {
      if ((char)uStack_9 < '\0') {
        uStack_9 = uStack_9 * '\x02' ^ 7;
      } else {
        uStack_9 = uStack_9 << 1;
      }
    }
  }
  return uStack_9;
}
