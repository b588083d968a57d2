__attribute((__constructor__(101))) int func0(int a, int b) { return a + b; }
