void trim_right(long long param_1) {
  long long *piVar1;
  uint64_t xStack_10;
  for (xStack_10 = strlen(param_1); xStack_10 != 0;
       xStack_10 = xStack_10 + -1) {
    piVar1 = (long long *)__ctype_b_loc();
    if ((*(unsigned short *)(*piVar1 +
                             (unsigned long long)*(
                                 unsigned char *)(param_1 + xStack_10 + -1) *
                                 2) &
         8192) == 0)
      break;
  }
  *(uint8_t *)(xStack_10 + param_1) = 0;
  return;
}
