__attribute__((optimize("O3,unroll-all-loops"))) int func0(int a, int b)
{
    for (int i = 0; i < 1000; i++) for (int j = 0; j < 1000; j++) a += b;
    return a;
}
