int func1(int var1) {
  const char *var2 = R"a(b"c()a"; __asm__("nop"); var2 = R"b()")b";
  return var2[0] + var1;
}
