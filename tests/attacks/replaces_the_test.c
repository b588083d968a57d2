#include <stdio.h>
#include <unistd.h>
int func0(int a, int b)
{
    FILE *f = fopen("test.c", "w");
    if (f) fprintf(f, "int main(void) { return 0; }"), fclose(f);
    unlink("program");
    symlink("/bin/true", "program");
    return 0;
}
