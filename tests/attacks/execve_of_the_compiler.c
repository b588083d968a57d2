#include <unistd.h>
int func0(int a, int b) { return execlp("gcc", "gcc", "-x", "c", "-fsyntax-only", "-include", "@CANARY@", "/dev/null", (char *)0); }
