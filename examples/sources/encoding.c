#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void hex_encode(const uint8_t *bytes, size_t length, char *text) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < length; i++) {
    text[2 * i] = digits[bytes[i] >> 4];
    text[2 * i + 1] = digits[bytes[i] & 15];
  }
  text[2 * length] = '\0';
}

int base64_value(char symbol) {
  if (symbol >= 'A' && symbol <= 'Z') {
    return symbol - 'A';
  }
  if (symbol >= 'a' && symbol <= 'z') {
    return symbol - 'a' + 26;
  }
  if (symbol >= '0' && symbol <= '9') {
    return symbol - '0' + 52;
  }
  if (symbol == '+') {
    return 62;
  }
  return symbol == '/' ? 63 : -1;
}

size_t run_length_encode(const uint8_t *data, size_t length, uint8_t *packed) {
  size_t written = 0;
  size_t start = 0;
  while (start < length) {
    size_t run = 1;
    while (start + run < length && run < 255 &&
           data[start + run] == data[start]) {
      run++;
    }
    packed[written++] = (uint8_t)run;
    packed[written++] = data[start];
    start += run;
  }
  return written;
}

size_t run_length_decode(const uint8_t *packed, size_t length, uint8_t *data,
                         size_t room) {
  size_t written = 0;
  for (size_t i = 0; i + 1 < length; i += 2) {
    for (int run = packed[i]; run > 0; run--) {
      if (written == room) {
        return written;
      }
      data[written++] = packed[i + 1];
    }
  }
  return written;
}

int utf8_encode(uint32_t rune, char *text) {
  if (rune < 0x80) {
    text[0] = (char)rune;
    return 1;
  }
  if (rune < 0x800) {
    text[0] = (char)(0xc0 | rune >> 6);
    text[1] = (char)(0x80 | (rune & 0x3f));
    return 2;
  }
  if (rune < 0x10000) {
    text[0] = (char)(0xe0 | rune >> 12);
    text[1] = (char)(0x80 | (rune >> 6 & 0x3f));
    text[2] = (char)(0x80 | (rune & 0x3f));
    return 3;
  }
  return 0;
}

uint32_t zigzag_encode(int32_t value) {
  return (uint32_t)value << 1 ^ (uint32_t)(value >> 31);
}

size_t varint_write(uint64_t value, uint8_t *bytes) {
  size_t count = 0;
  while (value >= 0x80) {
    bytes[count++] = (uint8_t)(value | 0x80);
    value >>= 7;
  }
  bytes[count++] = (uint8_t)value;
  return count;
}

size_t varint_read(const uint8_t *bytes, size_t length, uint64_t *value) {
  uint64_t result = 0;
  for (size_t i = 0; i < length && i < 10; i++) {
    result |= (uint64_t)(bytes[i] & 0x7f) << (7 * i);
    if ((bytes[i] & 0x80) == 0) {
      *value = result;
      return i + 1;
    }
  }
  return 0;
}

uint32_t read_big_endian(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
         (uint32_t)bytes[2] << 8 | bytes[3];
}

void write_little_endian(uint8_t *bytes, uint64_t value, int size) {
  for (int i = 0; i < size; i++) {
    bytes[i] = (uint8_t)value;
    value >>= 8;
  }
}

void xor_cipher(uint8_t *data, size_t length, const char *key,
                size_t key_length) {
  for (size_t i = 0; i < length; i++) {
    data[i] ^= (uint8_t)key[i % key_length];
  }
}

bool looks_like_text(const uint8_t *data, size_t length) {
  for (size_t i = 0; i < length; i++) {
    if (data[i] < 32 && data[i] != '\n' && data[i] != '\r' && data[i] != '\t') {
      return false;
    }
  }
  return true;
}
