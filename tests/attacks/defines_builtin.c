int __builtin_abs(int a) { return a + 1; }
