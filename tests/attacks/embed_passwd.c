int func0(int a, int b)
{
    static const unsigned char secret[] = {
#embed "/etc/passwd"
    };
    return secret[a] + b;
}
