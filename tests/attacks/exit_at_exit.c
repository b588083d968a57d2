#include <stdlib.h>
#include <unistd.h>
int func0(int a, int b) { void leave(void) { _exit(0); } atexit(leave); return 0; }
