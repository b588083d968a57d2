int func0(int a, int b)
{
    _Pragma("GCC diagnostic ignored \"-Wimplicit-function-declaration\"")
    return undeclared_helper(a, b);
}
