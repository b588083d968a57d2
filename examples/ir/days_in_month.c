int func1(int var1, int var2) {
  switch (var1) {
    case 2:
      return func2(var2) ? 29 : 28;
    case 4:
    case 6:
    case 9:
    case 11:
      return 30;
    default:
      return 31;
  }
}
