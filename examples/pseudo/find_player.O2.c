long long find_player(long long param_1, int param_2, uint64_t param_3) {
  long long iVar1;
  int iVar2;
  if (0 < param_2) {
    iVar1 = param_1 + (long long)param_2 * 28;
    do {
      iVar2 = strcmp(param_1, param_3);
      if (iVar2 == 0) {
        return param_1;
      }
      param_1 = param_1 + 28;
    } while (param_1 != iVar1);
  }
  return 0;
}
