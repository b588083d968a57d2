bool FUN_00101000(long long param_1, uint8_t *param_2) {
  bool bVar1;
  bVar1 = *(int *)(param_1 + 128) != *(int *)(param_1 + 132);
  if (bVar1) {
    *param_2 = *(uint8_t *)(param_1 + (unsigned long long)*(
                                          unsigned int *)(param_1 + 132));
    *(unsigned int *)(param_1 + 132) = *(int *)(param_1 + 132) + 1U & 127;
  }
  return bVar1;
}
