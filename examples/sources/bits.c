#include <stdbool.h>
#include <stdint.h>

struct bitset {
  uint32_t size;
  uint32_t *words;
};

int count_bits(uint32_t word) {
  int bits = 0;
  while (word != 0) {
    word &= word - 1;
    bits++;
  }
  return bits;
}

uint8_t reverse_bits(uint8_t octet) {
  uint8_t mirrored = 0;
  for (int i = 0; i < 8; i++) {
    mirrored = (uint8_t)(mirrored << 1 | (octet & 1));
    octet >>= 1;
  }
  return mirrored;
}

bool bitset_assign(struct bitset *set, uint32_t index, bool on) {
  if (index >= set->size) {
    return false;
  }
  uint32_t mask = 1u << (index % 32);
  if (on) {
    set->words[index / 32] |= mask;
  } else {
    set->words[index / 32] &= ~mask;
  }
  return true;
}

int bitset_first_free(const struct bitset *set) {
  for (uint32_t index = 0; index < set->size; index++) {
    if ((set->words[index / 32] >> (index % 32) & 1) == 0) {
      return (int)index;
    }
  }
  return -1;
}

int highest_bit(uint32_t word) {
  int position = -1;
  while (word != 0) {
    word >>= 1;
    position++;
  }
  return position;
}

uint32_t swap_bytes(uint32_t word) {
  return word >> 24 | (word >> 8 & 0xff00) | (word << 8 & 0xff0000) |
         word << 24;
}

uint32_t interleave_bits(uint16_t x, uint16_t y) {
  uint32_t mixed = 0;
  for (int bit = 0; bit < 16; bit++) {
    mixed |= (uint32_t)(x >> bit & 1) << (2 * bit);
    mixed |= (uint32_t)(y >> bit & 1) << (2 * bit + 1);
  }
  return mixed;
}

uint32_t gray_decode(uint32_t gray) {
  uint32_t number = gray;
  for (int shift = 1; shift < 32; shift *= 2) {
    number ^= number >> shift;
  }
  return number;
}

uint32_t extract_field(uint32_t word, unsigned int offset, unsigned int width) {
  if (width == 0 || offset > 31) {
    return 0;
  }
  if (width > 32 - offset) {
    width = 32 - offset;
  }
  return word >> offset & (0xffffffffu >> (32 - width));
}

uint32_t round_up_power(uint32_t size) {
  uint32_t power = 1;
  while (power < size && power != 0) {
    power <<= 1;
  }
  return power;
}

int32_t sign_extend(uint32_t value, int bits) {
  uint32_t sign = 1u << (bits - 1);
  value &= (sign << 1) - 1;
  return (int32_t)((value ^ sign) - sign);
}

int hamming_distance(const uint8_t *left, const uint8_t *right, int length) {
  int different = 0;
  for (int i = 0; i < length; i++) {
    uint8_t bits = left[i] ^ right[i];
    while (bits != 0) {
      bits &= (uint8_t)(bits - 1);
      different++;
    }
  }
  return different;
}
