# 1 "/usr/include/stdio.h" 1 3
int func0(int a, int b) { return undeclared_helper(a, b); }
