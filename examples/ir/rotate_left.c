void rotate_left(int *var1, size_t var2, size_t var3) {
  if (var2 < 2) {
    return;
  }
  var3 %= var2;
  reverse_range(var1, 0, var3);
  reverse_range(var1, var3, var2);
  reverse_range(var1, 0, var2);
}
