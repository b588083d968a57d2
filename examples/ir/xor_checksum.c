uint8_t xor_checksum(const struct type1 *var1) {
  uint8_t var2 = var1->field1 ^ var1->field2;
  for (uint8_t var3 = 0; var3 < var1->field2; var3++) {
    var2 ^= var1->field3[var3];
  }
  return var2;
}
