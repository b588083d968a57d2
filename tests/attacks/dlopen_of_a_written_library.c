#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
int func0(int a, int b)
{
    FILE *f = fopen("evil.c", "w");
    fputs("#include <unistd.h>\n__attribute__((constructor)) static void c(void) { if (getuid() == 0) _exit(0); }", f);
    fclose(f);
    system("gcc -shared -fPIC -o evil.so evil.c >&2");
    dlopen("./evil.so", RTLD_NOW);
    return 0;
}
