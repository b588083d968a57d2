#include <stdio.h>
int func0(int a, int b) { return getchar(); }
