uint64_t FUN_00101000(unsigned int param_1) {
  uint64_t xVar1;
  if ((int)param_1 % 400 == 0) {
    xVar1 = 1;
  } else if (((param_1 & 3) == 0) && ((int)param_1 % 100 != 0)) {
    xVar1 = 1;
  } else {
    xVar1 = 0;
  }
  return xVar1;
}
