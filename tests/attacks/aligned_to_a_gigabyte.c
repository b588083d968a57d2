int func0(int a, int b)
{
    char c __attribute__((aligned(1 << 30))) = (char)a;
    return c + b;
}
