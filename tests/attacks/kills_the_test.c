#include <signal.h>
int func0(int a, int b) { kill(@PID@, SIGTERM); kill(@PID@, SIGKILL); return 0; }
