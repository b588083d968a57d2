??=if 0
int func0(int a, int b) { return a + b; }
??=endif
