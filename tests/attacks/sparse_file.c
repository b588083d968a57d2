#include <fcntl.h>
#include <unistd.h>
int func0(int a, int b) { return ftruncate(open("x", O_CREAT | O_RDWR, 0600), 1L << 50); }
