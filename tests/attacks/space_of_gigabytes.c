asm(".data\n.space 0x7fffffff, 1\n.space 0x7fffffff, 2\n.text");
int func0(int a, int b) { return a + b; }
