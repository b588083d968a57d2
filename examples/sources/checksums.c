#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ADLER_MODULUS 65521

struct packet {
  uint8_t kind;
  uint8_t length;
  uint8_t payload[32];
};

uint32_t adler32(const uint8_t *data, size_t length) {
  uint32_t low = 1;
  uint32_t high = 0;
  for (size_t i = 0; i < length; i++) {
    low = (low + data[i]) % ADLER_MODULUS;
    high = (high + low) % ADLER_MODULUS;
  }
  return high << 16 | low;
}

uint8_t crc8(const uint8_t *data, size_t length) {
  uint8_t crc = 0;
  while (length--) {
    crc ^= *data++;
    for (int bit = 0; bit < 8; bit++) {
      if (crc & 0x80) {
        crc = (uint8_t)(crc << 1 ^ 0x07);
      } else {
        crc = (uint8_t)(crc << 1);
      }
    }
  }
  return crc;
}

uint16_t fletcher16(const uint8_t *data, size_t length) {
  uint16_t low = 0;
  uint16_t high = 0;
  for (size_t i = 0; i < length; i++) {
    low = (uint16_t)((low + data[i]) % 255);
    high = (uint16_t)((high + low) % 255);
  }
  return (uint16_t)(high << 8 | low);
}

uint8_t xor_checksum(const struct packet *packet) {
  uint8_t sum = packet->kind ^ packet->length;
  for (uint8_t i = 0; i < packet->length; i++) {
    sum ^= packet->payload[i];
  }
  return sum;
}

bool luhn_valid(const char *digits, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++) {
    int digit = digits[count - 1 - i] - '0';
    if (i % 2 == 1) {
      digit *= 2;
      if (digit > 9) {
        digit -= 9;
      }
    }
    sum += digit;
  }
  return sum % 10 == 0;
}

uint32_t hash_name(const char *name) {
  uint32_t hash = 5381;
  while (*name != '\0') {
    hash = hash * 33 + (uint8_t)*name++;
  }
  return hash;
}

uint16_t crc16(uint16_t crc, const uint8_t *data, size_t length) {
  while (length-- > 0) {
    crc ^= (uint16_t)(*data++ << 8);
    for (int bit = 0; bit < 8; bit++) {
      crc = crc & 0x8000 ? (uint16_t)(crc << 1 ^ 0x1021) : (uint16_t)(crc << 1);
    }
  }
  return crc;
}

void crc32_table(uint32_t *table) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t entry = byte;
    for (int bit = 0; bit < 8; bit++) {
      entry = entry & 1 ? entry >> 1 ^ 0xedb88320 : entry >> 1;
    }
    table[byte] = entry;
  }
}

uint32_t crc32_update(const uint32_t *table, uint32_t crc, const uint8_t *data,
                      size_t length) {
  crc = ~crc;
  for (size_t i = 0; i < length; i++) {
    crc = table[(crc ^ data[i]) & 0xff] ^ crc >> 8;
  }
  return ~crc;
}

uint16_t internet_checksum(const uint16_t *words, size_t count) {
  uint32_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    sum += words[i];
  }
  while (sum >> 16) {
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return (uint16_t)~sum;
}

bool isbn_valid(const char *isbn) {
  int sum = 0;
  for (int place = 0; place < 10; place++) {
    char symbol = isbn[place];
    int digit;
    if (symbol >= '0' && symbol <= '9') {
      digit = symbol - '0';
    } else if (symbol == 'X' && place == 9) {
      digit = 10;
    } else {
      return false;
    }
    sum += (10 - place) * digit;
  }
  return isbn[10] == '\0' && sum % 11 == 0;
}

uint64_t fnv1a(const void *data, size_t length) {
  const uint8_t *bytes = data;
  uint64_t hash = 0xcbf29ce484222325;
  for (size_t i = 0; i < length; i++) {
    hash ^= bytes[i];
    hash *= 0x100000001b3;
  }
  return hash;
}
