int read_stamp(const char *path, stamp *out) {
  struct stat info;
  FILE *file = fopen(path, "rb");
  if (!file) return -errno;
  if (fstat(fileno(file), &info) < 0 || !S_ISREG(info.st_mode)) goto failed;
  out->day = localtime(&info.st_mtime)->tm_mday;
  out->size = info.st_size;
  if (fread(out->bytes, 1, STAMP_BYTES, file) != STAMP_BYTES && ferror(file)) goto failed;
  return fclose(file);
failed:
  fclose(file);
  return errno == EINTR ? retry(path, out) : -1;
}
