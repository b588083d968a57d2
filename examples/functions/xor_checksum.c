#include <stdint.h>

struct packet {
  uint8_t kind;
  uint8_t length;
  uint8_t payload[32];
};

uint8_t xor_checksum(const struct packet *packet) {
  uint8_t sum = packet->kind ^ packet->length;
  for (uint8_t i = 0; i < packet->length; i++) {
    sum ^= packet->payload[i];
  }
  return sum;
}
