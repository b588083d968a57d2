bool apply_operator(char var1, int var2, int var3, int *var4) {
  switch (var1) {
    case '+':
      *var4 = var2 + var3;
      return true;
    case '-':
      *var4 = var2 - var3;
      return true;
    case '*':
      *var4 = var2 * var3;
      return true;
    default:
      return false;
  }
}
