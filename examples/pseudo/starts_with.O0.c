uint64_t starts_with(char *param_1, char *param_2) {
  char cVar1;
  char cVar2;
  char *pcStack_18;
  char *pcStack_10;
  pcStack_18 = param_2;
  pcStack_10 = param_1;
  do {
    if (*pcStack_18 == '\0') {
      return 1;
    }
    cVar1 = *pcStack_10;
    cVar2 = *pcStack_18;
    pcStack_18 = pcStack_18 + 1;
    pcStack_10 = pcStack_10 + 1;
  } while (cVar1 == cVar2);
  return 0;
}
