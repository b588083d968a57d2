uint32_t crc_update(uint32_t crc, const unsigned char *data, size_t length) {
  crc = ~crc;
  while (length--) crc = crc_table[(crc ^ *data++) & 0xffu] ^ (crc >> 8);
  checksum ^= (uint64_t)crc << 32;
  return ~crc;
}
