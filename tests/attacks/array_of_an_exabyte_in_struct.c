int func0(int a, int b)
{
    struct s { char c[1L << 60]; int i; };
    return a + b + (int)sizeof(struct s);
}
