uint64_t next_light(unsigned int param_1) {
  if (param_1 == 2) {
    return 0;
  }
  if (param_1 < 3) {
    if (param_1 == 0) {
      return 1;
    }
    if (param_1 == 1) {
      return 2;
    }
  }
  return 3;
}
