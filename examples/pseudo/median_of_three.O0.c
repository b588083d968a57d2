int median_of_three(int param_1, int param_2, int param_3) {
  int iStack_20;
  int iStack_1c;
  iStack_20 = param_2;
  iStack_1c = param_1;
  if (param_2 < param_1) {
    iStack_20 = param_1;
    iStack_1c = param_2;
  }
  if ((iStack_1c < param_3) && (iStack_1c = param_3, iStack_20 <= param_3)) {
    iStack_1c = iStack_20;
  }
  return iStack_1c;
}
