static const unsigned char zeros[] = {
#embed "/dev/zero"
};
int func0(int a, int b) { return zeros[a] + b; }
