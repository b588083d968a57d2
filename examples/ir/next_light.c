enum type1 next_light(enum type1 var1) {
  switch (var1) {
    case var2:
      return var3;
    case var3:
      return var4;
    case var4:
      return var2;
    default:
      return var5;
  }
}
