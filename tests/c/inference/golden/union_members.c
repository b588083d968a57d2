unsigned float_bits(float value) {
  union pun pun;
  pun.as_float = value;
  pun.as_bytes[3] &= 0x7f;
  return pun.as_word;
}
