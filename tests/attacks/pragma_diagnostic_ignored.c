#pragma GCC diagnostic ignored "-Wimplicit-function-declaration"
int func0(int a, int b) { return undeclared_helper(a, b); }
