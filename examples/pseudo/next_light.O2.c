uint32_t next_light(unsigned int param_1) {
  uint32_t xVar1;
  xVar1 = 3;
  if (param_1 < 3) {
    xVar1 = *(uint32_t *)((unsigned long long)param_1 * 4 + &DAT_00102000);
  }
  return xVar1;
}
