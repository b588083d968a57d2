int FUN_00101000(char *param_1, char param_2) {
  bool bVar1;
  int iVar2;
  int iVar3;
  char cVar4;
  cVar4 = *param_1;
  if (cVar4 == '\0') {
    return 1;
  }
  bVar1 = false;
  iVar3 = 1;
  do {
    while (cVar4 == '\"') {
      cVar4 = param_1[1];
      param_1 = param_1 + 1;
      bVar1 = (bool)(bVar1 ^ 1);
      if (cVar4 == '\0') {
        return iVar3;
      }
    }
    iVar2 = iVar3 + (unsigned int)!bVar1;
    if (param_2 != cVar4) {
      iVar2 = iVar3;
    }
    iVar3 = iVar2;
    cVar4 = param_1[1];
    param_1 = param_1 + 1;
  } while (cVar4 != '\0');
  return iVar3;
}
