int func0(int a, int b)
{
    struct s0 { long x[1 << 30]; };
    struct s1 { struct s0 x[1 << 30]; };
    struct s2 { struct s1 x[1 << 30]; };
    struct s3 { struct s2 x[1 << 30]; };
    static struct s3 all = {{{{{{{{1}}}}}}}};
    return a + b + (int)sizeof all;
}
