int func0(int a, int b)
{
    static int many[1 << 16][1 << 16] = {[0 ... 65535] = {[0 ... 65535] = 1}};
    return many[a][b];
}
