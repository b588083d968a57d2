#include <stdio.h>
#include <string.h>
int func0(int a, int b) { static char block[1 << 20]; FILE *f = fopen("x", "w"); for (;;) fwrite(block, 1, sizeof block, f); }
