void insertion_sort(int *param_1, int param_2) {
  int iVar1;
  int *piVar2;
  int *piVar3;
  int iVar4;
  iVar4 = 1;
  piVar3 = param_1;
  if (1 < param_2) {
    do {
      piVar3 = piVar3 + 1;
      iVar1 = *piVar3;
      piVar2 = piVar3;
      do {
        if (piVar2[-1] <= iVar1) {
          *piVar2 = iVar1;
          goto joined_r0x00101044;
        }
        *piVar2 = piVar2[-1];
        piVar2 = piVar2 + -1;
      } while (param_1 != piVar2);
      *param_1 = iVar1;
    joined_r0x00101044:
      iVar4 = iVar4 + 1;
    } while (param_2 != iVar4);
  }
  return;
}
