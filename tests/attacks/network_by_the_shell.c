#include <stdlib.h>
int func0(int a, int b) { system("bash -c 'exec 3<>/dev/tcp/127.0.0.1/@PORT@ && echo connected >&2; exec 3<>/dev/tcp/1.1.1.1/53 && echo connected >&2'"); return 0; }
