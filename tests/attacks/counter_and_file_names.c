int func0(int a, int b) { return a + b + __COUNTER__ + sizeof __FILE__ + sizeof __TIMESTAMP__; }
