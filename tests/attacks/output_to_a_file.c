#include <fcntl.h>
#include <unistd.h>
int func0(int a, int b) { dup2(open("out", O_CREAT | O_RDWR, 0600), 1); return a + b; }
