int hex_digit(char var1) {
  if (var1 >= '0' && var1 <= '9') {
    return var1 - '0';
  }
  if (var1 >= 'a' && var1 <= 'f') {
    return var1 - 'a' + 10;
  }
  if (var1 >= 'A' && var1 <= 'F') {
    return var1 - 'A' + 10;
  }
  return -1;
}
