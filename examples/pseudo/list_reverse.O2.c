void list_reverse(long long param_1) {
  long long iVar1;
  long long iVar2;
  if (param_1 != 0) {
    iVar2 = 0;
    do {
      iVar1 = param_1;
      param_1 = *(long long *)(iVar1 + 8);
      *(long long *)(iVar1 + 8) = iVar2;
      iVar2 = iVar1;
    } while (param_1 != 0);
  }
  return;
}
