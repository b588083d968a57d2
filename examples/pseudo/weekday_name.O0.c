uint64_t weekday_name(int param_1) {
  uint64_t xVar1;
  if (param_1 == 0) {
    xVar1 = "Sunday";
  } else if (param_1 == 6) {
    xVar1 = "Saturday";
  } else if ((param_1 < 1) || (5 < param_1)) {
    xVar1 = "unknown";
  } else {
    xVar1 = "working day";
  }
  return xVar1;
}
