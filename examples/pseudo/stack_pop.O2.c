unsigned long long FUN_00101000(long long *param_1) {
  int iVar1;
  unsigned long long uVar2;
  if ((int)param_1[1] != 0) {
    iVar1 = (int)param_1[1] + -1;
    *(int *)(param_1 + 1) = iVar1;
    return (unsigned long long)*(unsigned int *)(*param_1 +
                                                 (long long)iVar1 * 4);
  }
  FUN_00101050("the stack is empty");
  uVar2 = exit(1);
  return uVar2;
}
