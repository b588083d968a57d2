int func0(int a, int b) { asm(".fill 1 << 30, 1, 65"); return a + b; }
