int func0(int a, int b)
{
    struct s { struct s inside[2]; } x;
    __typeof__(x.inside[0].inside[1].inside[0]) y = x;
    return a + b + sizeof y;
}
