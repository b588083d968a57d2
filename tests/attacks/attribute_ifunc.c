static void *pick(void) { return 0; }
int func0(int a, int b) __attribute__((ifunc("pick")));
