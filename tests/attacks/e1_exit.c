#include <stdlib.h>
int func0(int a, int b) { exit(0); }
