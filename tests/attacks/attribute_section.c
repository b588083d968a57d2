__attribute__((section(".preinit_array"))) int func0(int a, int b) { return a + b; }
