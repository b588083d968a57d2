#define NAME "/etc/passwd"
#include NAME
int func0(int a, int b) { return a + b; }
