int func0(int a, int b)
{
    // a comment that goes on \   
    return 0;
    return a + b;
}
