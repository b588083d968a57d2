uint32_t boxes_overlap(int *param_1, int *param_2) {
  uint32_t xVar1;
  if ((((*param_1 < param_2[2] + *param_2) &&
        (*param_2 < param_1[2] + *param_1)) &&
       (param_1[1] < param_2[3] + param_2[1])) &&
      (param_2[1] < param_1[3] + param_1[1])) {
    xVar1 = 1;
  } else {
    xVar1 = 0;
  }
  return xVar1;
}
