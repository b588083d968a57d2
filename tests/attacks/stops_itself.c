#include <signal.h>
int func0(int a, int b) { raise(SIGSTOP); return 0; }
