int func0(int a, int b)
{
    switch (a) {
    case -2147483647 ... 2147483647: return b;
    }
    return a + b;
}
