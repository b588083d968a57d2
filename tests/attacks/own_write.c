long write(int fd, const void *p, unsigned long n) { return n; }
int func0(int a, int b) { return 0; }
