void hex_line(struct dump *dump, const unsigned char *bytes, int count) {
  char line[80];
  int used = 0;
  for (int i = 0; i < count; i++) {
    used += snprintf(line + used, sizeof(line) - used, "%02x ", bytes[i]);
    dump->text[i] = isprint(bytes[i]) ? bytes[i] : '.';
  }
  line[used] = dump->text[count] = '\0';
  dump->write(dump, line);
}
