int func0(int a, int b)
{
    struct s { char c[1L << 62]; char d[1L << 62]; char e[1L << 62]; };
    struct s (*all)[1L << 40];
    return a + b + (int)sizeof *all;
}
