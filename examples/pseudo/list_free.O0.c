void list_free(long long param_1) {
  long long iVar1;
  uint64_t xStack_20;
  xStack_20 = param_1;
  while (xStack_20 != 0) {
    iVar1 = *(long long *)(xStack_20 + 16);
    free(*(uint64_t *)(xStack_20 + 8));
    free(xStack_20);
    xStack_20 = iVar1;
  }
  return;
}
