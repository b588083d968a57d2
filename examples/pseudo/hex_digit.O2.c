int hex_digit(char param_1) {
  int iVar1;
  if ((unsigned char)(param_1 - 48U) < 10) {
    return (int)(char)(param_1 - 48U);
  }
  if (5 < (unsigned char)(param_1 + 159U)) {
    iVar1 = (int)(char)(param_1 + -55);
    if (5 < (unsigned char)(param_1 + 191U)) {
      iVar1 = -1;
    }
    return iVar1;
  }
  return (int)(char)(param_1 + -87);
}
