asm(".data\n.fill 1 << 60, 8, 65\n.text");
int func0(int a, int b) { return a + b; }
