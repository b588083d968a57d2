int func0(int a, int b)
{
    const char *secret =
#include "@CANARY@"
        ;
    return secret[a] + b;
}
