#include <stdio.h>
#include <stdlib.h>
int func0(int a, int b)
{
    for (int i = 0; i < 256; i++) printf("\n%032x\n", i);
    exit(0);
}
