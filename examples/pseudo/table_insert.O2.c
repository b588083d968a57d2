void FUN_00101000(long long param_1, uint64_t *param_2) {
  unsigned int uVar1;
  uVar1 = FUN_00101050(*param_2);
  param_2[2] = *(uint64_t *)(param_1 + (unsigned long long)(uVar1 & 63) * 8);
  *(uint64_t **)(param_1 + (unsigned long long)(uVar1 & 63) * 8) = param_2;
  *(long long *)(param_1 + 512) = *(long long *)(param_1 + 512) + 1;
  return;
}
