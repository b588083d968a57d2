int func1(int var1) {
  if (var1 % 400 == 0) {
    return 1;
  }
  return var1 % 4 == 0 && var1 % 100 != 0;
}
