int func0(int a, int b)
{
    extern int other(int, int) __attribute__((alias("func0")));
    return other(a, b);
}
