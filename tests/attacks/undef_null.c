#undef NULL
#define NULL ((void *)1)
int func0(int a, int b) { return a + b; }
