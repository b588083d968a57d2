asm(".data\n.rept 1 << 30\n.quad 1, 2, 3, 4\n.endr\n.text");
int func0(int a, int b) { return a + b; }
