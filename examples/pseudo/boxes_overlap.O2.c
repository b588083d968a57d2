bool boxes_overlap(int *param_1, int *param_2) {
  bool bVar1;
  bVar1 = false;
  if ((*param_1 < param_2[2] + *param_2) &&
      (*param_2 < *param_1 + param_1[2])) {
    if (param_1[1] < param_2[3] + param_2[1]) {
      bVar1 = param_2[1] < param_1[1] + param_1[3];
    }
  }
  return bVar1;
}
