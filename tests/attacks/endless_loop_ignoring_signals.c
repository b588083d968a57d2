#include <signal.h>
int func0(int a, int b) { for (int n = 1; n < 65; n++) signal(n, SIG_IGN); for (;;) ; }
