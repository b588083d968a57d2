#include <signal.h>
#include <unistd.h>
int func0(int a, int b) { signal(SIGTERM, SIG_IGN); signal(SIGHUP, SIG_IGN); signal(SIGINT, SIG_IGN); for (;;) sleep(999); }
