#include <unistd.h>
int func0(int a, int b) { if (fork()) _exit(0); return 0; }
