#include <stdlib.h>
#include <string.h>
int func0(int a, int b) { return ((char *)memset(malloc(100000000000UL), 1, 100000000000UL))[a]; }
