void list_free(long long param_1) {
  long long iVar1;
  if (param_1 == 0) {
    return;
  }
  do {
    iVar1 = *(long long *)(param_1 + 16);
    free(*(uint64_t *)(param_1 + 8));
    free(param_1);
    param_1 = iVar1;
  } while (iVar1 != 0);
  return;
}
