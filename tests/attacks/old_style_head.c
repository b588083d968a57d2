int func0(a, b) int a, b; { return a + b; }
