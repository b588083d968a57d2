#include <setjmp.h>
int func0(int a, int b)
{
    static jmp_buf place;
    static int seen;
    if (!seen++) { if (setjmp(place)) return 3; return 0 * a; }
    longjmp(place, 1);
}
