#include <signal.h>
#include <unistd.h>
int func0(int a, int b) { return kill(getpid(), SIGKILL); }
