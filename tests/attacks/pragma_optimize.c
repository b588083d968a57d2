#pragma GCC optimize("O3,unroll-all-loops")
int func0(int a, int b) { return a + b; }
