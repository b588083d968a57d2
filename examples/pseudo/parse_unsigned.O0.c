bool FUN_00101000(char *param_1, int *param_2) {
  bool bVar1;
  char *pcStack_20;
  int iStack_c;
  iStack_c = 0;
  pcStack_20 = param_1;
  if (*param_1 == '\0') {
    bVar1 = false;
  } else {
    for (; ('/' < *pcStack_20 && (*pcStack_20 < ':'));
         pcStack_20 = pcStack_20 + 1) {
      iStack_c = (int)*pcStack_20 + iStack_c * 10 + -48;
    }
    *param_2 = iStack_c;
    bVar1 = *pcStack_20 == '\0';
  }
  return bVar1;
}
