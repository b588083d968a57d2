int count_words(char *param_1) {
  bool bVar1;
  char cVar2;
  int iVar3;
  cVar2 = *param_1;
  if (cVar2 == '\0') {
    return 0;
  }
  bVar1 = false;
  iVar3 = 0;
  do {
    while (cVar2 < '\v') {
      if ('\b' < cVar2) goto code_r0x00101038;
    code_r0x00101014:
      if (!bVar1) {
        iVar3 = iVar3 + 1;
        bVar1 = true;
      }
      cVar2 = param_1[1];
      param_1 = param_1 + 1;
      if (cVar2 == '\0') {
        return iVar3;
      }
    }
    if (cVar2 != ' ') goto code_r0x00101014;
  code_r0x00101038:
    cVar2 = param_1[1];
    param_1 = param_1 + 1;
    bVar1 = false;
    if (cVar2 == '\0') {
      return iVar3;
    }
  } while (true);
}
