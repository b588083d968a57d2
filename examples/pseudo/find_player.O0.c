long long find_player(long long param_1, int param_2, uint64_t param_3) {
  int iVar1;
  int iStack_c;
  iStack_c = 0;
  while (true) {
    if (param_2 <= iStack_c) {
      return 0;
    }
    iVar1 = strcmp(param_1 + (long long)iStack_c * 28, param_3);
    if (iVar1 == 0) break;
    iStack_c = iStack_c + 1;
  }
  return param_1 + (long long)iStack_c * 28;
}
