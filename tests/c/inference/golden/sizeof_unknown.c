packet_t *packet_copy(const packet_t *packet) {
  packet_t *copy = calloc(1, sizeof(packet_t) + packet->length * sizeof(sample_t));
  if (!copy) return NULL;
  memcpy(copy, packet, sizeof *packet);
  memset(&copy->checksum, 0, sizeof(copy->checksum));
  return copy;
}
