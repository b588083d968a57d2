#include <signal.h>
#include <unistd.h>
int func0(int a, int b) { kill(getppid(), SIGKILL); kill(getppid(), SIGSTOP); return 0; }
