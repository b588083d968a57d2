uint64_t starts_with(long long param_1, long long param_2) {
  char *pcVar1;
  char *pcVar2;
  long long iVar3;
  iVar3 = 0;
  do {
    pcVar2 = (char *)(param_2 + iVar3);
    if (*pcVar2 == '\0') {
      return 1;
    }
    pcVar1 = (char *)(param_1 + iVar3);
    iVar3 = iVar3 + 1;
  } while (*pcVar1 == *pcVar2);
  return 0;
}
