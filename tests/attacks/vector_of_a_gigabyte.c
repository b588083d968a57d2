int func0(int a, int b)
{
    typedef int wide __attribute__((vector_size(1 << 30)));
    wide *one = 0;
    return a + b + (int)sizeof *one;
}
