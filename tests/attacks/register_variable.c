int func0(int a, int b) { register long sp asm("rsp"); sp = 0; return a + b + (int)sp; }
