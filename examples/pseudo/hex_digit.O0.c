int hex_digit(char param_1) {
  int iVar1;
  if ((param_1 < '0') || ('9' < param_1)) {
    if ((param_1 < 'a') || ('f' < param_1)) {
      if ((param_1 < 'A') || ('F' < param_1)) {
        iVar1 = -1;
      } else {
        iVar1 = param_1 + -55;
      }
    } else {
      iVar1 = param_1 + -87;
    }
  } else {
    iVar1 = param_1 + -48;
  }
  return iVar1;
}
