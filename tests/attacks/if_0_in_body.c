int func0(int a, int b)
{
#if 0
    anything at all, placeholders too: var1 var2 type1 func2
#endif
    return a + b;
}
