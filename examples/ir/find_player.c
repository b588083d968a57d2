type1 *find_player(type1 *var1, int var2, const char *var3) {
  for (int var4 = 0; var4 < var2; var4++) {
    if (strcmp(var1[var4].field1, var3) == 0) {
      return &var1[var4];
    }
  }
  return NULL;
}
