#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int func0(int a, int b)
{
    for (int n = 0; n < 1000000; n++) {
        char name[20];
        sprintf(name, "f%d", n);
        int f = open(name, O_CREAT | O_WRONLY, 0600);
        if (f < 0) return 0;
        close(f);
    }
    return 0;
}
