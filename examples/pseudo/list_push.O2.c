uint32_t *FUN_00101000(uint32_t *param_1, uint32_t param_2) {
  uint32_t *pxVar1;
  pxVar1 = (uint32_t *)malloc(16);
  if (pxVar1 != (uint32_t *)0) {
    *pxVar1 = param_2;
    *(uint32_t **)(pxVar1 + 2) = param_1;
    param_1 = pxVar1;
  }
  return param_1;
}
