int stream_copy(stream_t *from, stream_t *to) {
  char block[512];
  long got;
  while ((got = from->ops->read(from->handle, block, sizeof block)) > 0) {
    if (to->ops->write(to->handle, block, got) != got) return -1;
  }
  if (to->ops->flush) to->ops->flush(to->handle);
  return got < 0 ? -1 : 0;
}
