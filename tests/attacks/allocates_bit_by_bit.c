#include <stdlib.h>
#include <string.h>
int func0(int a, int b) { for (;;) memset(malloc(1 << 20), 1, 1 << 20); }
