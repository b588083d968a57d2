#include <stdio.h>
int func0(int a, int b)
{
    static const char *const names[] = {"@CANARY@", "@FOLDER@/escaped", "/tmp/sk2d-escaped", "/var/tmp/sk2d-escaped", "/dev/shm/sk2d-escaped", "/etc/sk2d-escaped", "/usr/sk2d-escaped"};
    for (int i = 0; i < 7; i++) { FILE *f = fopen(names[i], "w"); if (f) { fputs("escaped", f); fclose(f); } }
    return 0;
}
