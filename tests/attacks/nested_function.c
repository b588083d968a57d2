int func0(int a, int b)
{
    int helper(int c) { return c + b; }
    return helper(a);
}
