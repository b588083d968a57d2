int FUN_00101000(char *param_1, char param_2) {
  bool bVar1;
  char *pcStack_20;
  int iStack_c;
  iStack_c = 1;
  bVar1 = false;
  for (pcStack_20 = param_1; *pcStack_20 != '\0'; pcStack_20 = pcStack_20 + 1) {
    if (*pcStack_20 == '\"') {
      bVar1 = !bVar1;
    } else if ((param_2 == *pcStack_20) && (!bVar1)) {
      iStack_c = iStack_c + 1;
    }
  }
  return iStack_c;
}
