#undef assert
#define assert(x) ((void)0)
int func0(int a, int b){return 0;}
