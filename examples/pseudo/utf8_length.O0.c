long long FUN_00101000(char *param_1) {
  char *pcStack_20;
  long long iStack_10;
  iStack_10 = 0;
  for (pcStack_20 = param_1; *pcStack_20 != '\0'; pcStack_20 = pcStack_20 + 1) {
    if (((int)*pcStack_20 & 192U) != 128) {
      iStack_10 = iStack_10 + 1;
    }
  }
  return iStack_10;
}
