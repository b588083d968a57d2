long long parse_duration(uint64_t param_1) {
  char cVar1;
  long long iVar2;
  char *apcStack_10[2];
  iVar2 = strtol(param_1, apcStack_10, 10);
  cVar1 = *apcStack_10[0];
  if (cVar1 == 'h') {
    iVar2 = iVar2 * 3600;
  } else {
    if ('h' < cVar1) {
      if (cVar1 == 'm') {
        return iVar2 * 60;
      }
      if (cVar1 != 's') {
        iVar2 = -1;
      }
      return iVar2;
    }
    if (cVar1 != '\0') {
      if (cVar1 == 'd') {
        iVar2 = iVar2 * 86400;
      } else {
        iVar2 = -1;
      }
    }
  }
  return iVar2;
}
