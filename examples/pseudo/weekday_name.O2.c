uint64_t weekday_name(int param_1) {
  uint64_t xVar1;
  xVar1 = "Sunday";
  if (((param_1 != 0) && (xVar1 = "Saturday", param_1 != 6)) &&
      (xVar1 = "unknown", param_1 - 1U < 5)) {
    xVar1 = "working day";
  }
  return xVar1;
}
