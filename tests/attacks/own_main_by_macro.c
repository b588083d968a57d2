#define other main
#undef main
#define main other
int func0(int a, int b) { return 0; }
