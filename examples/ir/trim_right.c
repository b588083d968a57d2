void trim_right(char *var1) {
  size_t var2 = strlen(var1);
  while (var2 > 0 && isspace((unsigned char)var1[var2 - 1])) {
    var2--;
  }
  var1[var2] = '\0';
}
