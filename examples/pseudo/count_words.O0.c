int count_words(char *param_1) {
  bool bVar1;
  char *pcStack_20;
  int iStack_c;
  iStack_c = 0;
  bVar1 = false;
  for (pcStack_20 = param_1; *pcStack_20 != '\0'; pcStack_20 = pcStack_20 + 1) {
    if (((*pcStack_20 == ' ') || (*pcStack_20 == '\n')) ||
        (*pcStack_20 == '\t')) {
      bVar1 = false;
    } else if (!bVar1) {
      bVar1 = true;
      iStack_c = iStack_c + 1;
    }
  }
  return iStack_c;
}
