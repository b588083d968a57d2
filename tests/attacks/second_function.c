int helper(int a) { return a; }
int func0(int a, int b) { return helper(a) + b; }
