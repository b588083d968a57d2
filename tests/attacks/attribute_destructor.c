__attribute__((unused, destructor)) int func0(int a, int b) { return a + b; }
