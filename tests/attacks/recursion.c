int func0(int a, int b) { volatile char c[999]; c[a & 7] = 0; return func0(a + 1, b) + c[b & 7]; }
