int func0(int a, int b)
{
    // the next line is part of this comment to some ??/
    return a;
    return a + b;
}
