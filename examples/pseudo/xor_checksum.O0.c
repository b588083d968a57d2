unsigned char xor_checksum(unsigned char *param_1) {
  unsigned char uStack_a;
  unsigned char uStack_9;
  uStack_9 = param_1[1] ^ *param_1;
  for (uStack_a = 0; uStack_a < param_1[1]; uStack_a = uStack_a + 1) {
    uStack_9 = uStack_9 ^ param_1[(long long)(int)(unsigned int)uStack_a + 2];
  }
  return uStack_9;
}
