long long parse_duration(uint64_t param_1) {
  char cVar1;
  long long iVar2;
  char *apcStack_18[2];
  iVar2 = strtol(param_1, apcStack_18, 10);
  cVar1 = *apcStack_18[0];
  if (cVar1 == 's') {
    return iVar2;
  }
  if (cVar1 < 't') {
    if (cVar1 == 'm') {
      return iVar2 * 60;
    }
    if (cVar1 < 'n') {
      if (cVar1 == 'h') {
        return iVar2 * 3600;
      }
      if (cVar1 < 'i') {
        if (cVar1 == '\0') {
          return iVar2;
        }
        if (cVar1 == 'd') {
          return iVar2 * 86400;
        }
      }
    }
  }
  return -1;
}
