uint64_t FUN_00101000(uint8_t *param_1, uint64_t *param_2) {
  uint8_t *pxVar1;
  uint64_t xVar2;
  pxVar1 = (uint8_t *)strchr(param_1, 61);
  if ((pxVar1 == (uint8_t *)0) || (pxVar1 == param_1)) {
    xVar2 = 4294967295u;
  } else {
    *pxVar1 = 0;
    *param_2 = param_1;
    param_2[1] = pxVar1 + 1;
    xVar2 = 0;
  }
  return xVar2;
}
