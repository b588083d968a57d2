int FUN_00101000(unsigned char *param_1) {
  unsigned char *puStack_20;
  int iStack_c;
  iStack_c = 5381;
  for (puStack_20 = param_1; *puStack_20 != 0; puStack_20 = puStack_20 + 1) {
    iStack_c = (unsigned int)*puStack_20 + iStack_c * 33;
  }
  return iStack_c;
}
