#include <unistd.h>
int func0(int a, int b) { fork(); fork(); execl("/proc/self/exe", "program", (char *)0); execl("./program", "program", (char *)0); return 0; }
