int func0(int a, int b) { return a + b; } int func9(void) { return 1; }
