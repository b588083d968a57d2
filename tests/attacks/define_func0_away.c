#define func0 other
int func0(int a, int b) { return a + b; }
