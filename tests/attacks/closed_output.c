#include <unistd.h>
int func0(int a, int b) { close(1); close(2); return a + b; }
