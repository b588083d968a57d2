#include "/etc/passwd"
int func0(int a, int b) { return a + b; }
