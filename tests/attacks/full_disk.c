#include <stdio.h>
int func0(int a, int b)
{
    for (int n = 0; n < 100; n++) {
        char name[20];
        sprintf(name, "f%d", n);
        FILE *f = fopen(name, "w");
        for (int i = 0; f && i < 60; i++) for (int k = 0; k < 1000; k++) if (fputs("0123456789012345678901234567890123456789", f) < 0) return 0;
        if (f) fclose(f);
    }
    return 0;
}
