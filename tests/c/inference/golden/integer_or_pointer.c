long pick(handle_t handle, int index) {
  entry_t entry = lookup(handle, index);
  if (!entry) return 0;
  cache_value = entry;
  if (handle == INVALID_HANDLE) return -1;
  return score(entry) + (handle >> 4);
}
