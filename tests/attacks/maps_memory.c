#include <string.h>
#include <sys/mman.h>
int func0(int a, int b)
{
    for (;;) {
        void *p = mmap(0, 1 << 24, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memset(p, 1, 1 << 24);
    }
}
