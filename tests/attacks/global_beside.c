int total;
int func0(int a, int b) { return total + a + b; }
