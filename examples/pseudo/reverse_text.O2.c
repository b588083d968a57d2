long long reverse_text(long long param_1) {
  uint8_t xVar1;
  unsigned long long uVar2;
  unsigned long long uVar3;
  uVar2 = strlen();
  if (1 < uVar2) {
    uVar3 = 1;
    do {
      uVar2 = uVar2 - 1;
      xVar1 = *(uint8_t *)(param_1 + -1 + uVar3);
      *(uint8_t *)(param_1 + -1 + uVar3) = *(uint8_t *)(param_1 + uVar2);
      uVar3 = uVar3 + 1;
      *(uint8_t *)(param_1 + uVar2) = xVar1;
    } while (uVar3 < uVar2);
  }
  return param_1;
}
