int func0(int a, int b)
{
    void exit(int);
    int code __attribute__((cleanup(exit))) = 0;
    return a + b + code;
}
