#pragma GCC system_header
int func0(int a, int b) { return undeclared_helper(a, b); }
