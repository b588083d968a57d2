int func0(int a, int b) asm("sk2d_tested_main");
int func0(int a, int b) { return a + b; }
